package io.tenure.tool.demo.sql;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What nobody guesses. */
final class Secret {
    private static final int BYTES = 16;

    private Secret() {}

    static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
