package io.tenure.tool.demo;

import java.security.SecureRandom;

/**
 * What the demo calls its things on the server.
 *
 * @param role the election
 * @param lock the lock
 */
public record Names(String role, String lock) {

    /** Names that nobody else on the server has. */
    static Names random() {
        String base = "tenure-demo-" + Long.toString(new SecureRandom().nextLong(1L << 40, 1L << 44), 36);
        return of(base);
    }

    /** The names that {@code role} leads to; processes of one demo agree on them. */
    public static Names of(String role) {
        return new Names(role, role + "-lock");
    }
}
