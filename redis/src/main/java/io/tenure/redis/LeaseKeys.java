package io.tenure.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The keys of a lease, as the scripts want them. */
final class LeaseKeys {
    private static final byte[] LEADER = ":leader".getBytes(ISO_8859_1);
    private static final byte[] FENCE = ":fence".getBytes(ISO_8859_1);
    private static final byte[] APPLIED = ":fence:applied".getBytes(ISO_8859_1);
    private static final byte[] WAITERS = ":waiters".getBytes(ISO_8859_1);
    private static final byte[] SEEN = ":waiters:seen".getBytes(ISO_8859_1);
    private static final byte[] MARK = ":mark".getBytes(ISO_8859_1);

    private LeaseKeys() {}

    static byte[] lease(byte[] name) {
        return key(name, LEADER);
    }

    static byte[] counter(byte[] name) {
        return key(name, FENCE);
    }

    static byte[] mark(byte[] name) {
        return key(name, APPLIED);
    }

    static byte[] externalMark(byte[] name) {
        return key(name, MARK);
    }

    static byte[][] leaseAndCounter(byte[] name) {
        return new byte[][] {key(name, LEADER), key(name, FENCE)};
    }

    static byte[][] leaseAndLine(byte[] name) {
        return new byte[][] {key(name, LEADER), key(name, WAITERS), key(name, SEEN)};
    }

    static byte[][] all(byte[] name) {
        return new byte[][] {
            key(name, LEADER), key(name, FENCE), key(name, APPLIED), key(name, WAITERS), key(name, SEEN)
        };
    }

    /** A pattern for SCAN that the lease keys of all names match which start with {@code prefix}. */
    static byte[] leasesOf(String prefix) {
        StringBuilder pattern = new StringBuilder();
        prefix.codePoints().forEach(c -> {
            if ("*?[]\\^-".indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.appendCodePoint(c);
        });
        return pattern.append("*:leader").toString().getBytes(UTF_8);
    }

    /** The name of the lease that {@code key} holds. */
    static String nameOf(byte[] key) {
        return new String(key, 0, key.length - LEADER.length, UTF_8);
    }

    private static byte[] key(byte[] name, byte[] suffix) {
        byte[] key = Arrays.copyOf(name, name.length + suffix.length);
        System.arraycopy(suffix, 0, key, name.length, suffix.length);
        return key;
    }
}
