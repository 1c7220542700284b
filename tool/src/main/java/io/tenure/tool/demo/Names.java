package io.tenure.tool.demo;

import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the demo calls its things on the server.
 *
 * @param role the election
 * @param lock the lock
 * @param hash a hash that the leader writes into through the fence
 * @param text a string that the leader writes through the fence
 */
record Names(String role, String lock, String hash, String text) {

    /** The field of {@link #hash} that is written. */
    static final String FIELD = "writer";

    /** Names that nobody else on the server has. */
    static Names random() {
        String base = "tenure-demo-" + Long.toString(new SecureRandom().nextLong(1L << 40, 1L << 44), 36);
        return of(base);
    }

    /** The names that {@code role} leads to; processes of one demo agree on them. */
    static Names of(String role) {
        return new Names(role, role + "-lock", role + ":hash", role + ":text");
    }

    /** Every key that comes into being under these names. */
    List<String> keys() {
        return Stream.concat(
                        Stream.of(role, lock)
                                .flatMap(name -> Stream.of(
                                        leaseKey(name),
                                        name + ":fence",
                                        name + ":fence:applied",
                                        waitersKey(name),
                                        waitersKey(name) + ":seen")),
                        Stream.of(hash, text))
                .toList();
    }

    /** Where the lease {@code name} is kept. */
    static String leaseKey(String name) {
        return name + ":leader";
    }

    /** Where those who wait for {@code name} stand in line. */
    static String waitersKey(String name) {
        return name + ":waiters";
    }
}
