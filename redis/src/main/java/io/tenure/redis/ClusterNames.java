package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Names and slots of Redis Cluster: what lies between the first brace and the next closing one decides the slot. */
final class ClusterNames {
    private static final int SLOTS = 16384;

    private ClusterNames() {}

    /**
     * The form of {@code name} whose keys share a slot: itself when it has a hash tag, else wrapped in braces.
     *
     * @throws IllegalArgumentException when braces would not tag it
     */
    static String canonical(String name) {
        if (hasTag(name)) {
            return name;
        }
        if (name.equals("{}")) {
            throw new IllegalArgumentException(
                    "The name '{}' cannot be kept on a cluster: a name and the same in braces are"
                            + " one lease there, by the hash tag that they share, and these braces are empty");
        }
        if (name.charAt(0) == '}') {
            throw new IllegalArgumentException(
                    "The name '" + name + "' cannot be kept on a cluster: its keys need a common"
                            + " hash tag, and wrapped in braces it would have an empty one. Let it not start with '}'");
        }
        return '{' + name + '}';
    }

    /** The slot that {@code key} lies in. */
    static int slot(byte[] key) {
        int open = indexOf(key, '{', 0);
        int close = open < 0 ? -1 : indexOf(key, '}', open + 1);
        return close > open + 1 ? crc16(key, open + 1, close) % SLOTS : crc16(key, 0, key.length) % SLOTS;
    }

    /**
     * Refuses a write to keys of another slot than the fence's.
     *
     * @throws IllegalArgumentException naming both slots
     */
    static void requireSameSlot(byte[] fence, byte[] key) {
        int own = slot(fence);
        int other = slot(key);
        if (own != other) {
            throw new IllegalArgumentException("The key '" + new String(key, UTF_8) + "' lies in slot " + other
                    + ", the fence '" + new String(fence, UTF_8) + "' in slot " + own
                    + ": on a cluster, check and write need one slot. Give the key the hash tag of the lease's name");
        }
    }

    private static boolean hasTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** CRC-16/XMODEM, as the Redis Cluster specification prescribes. */
    private static int crc16(byte[] key, int from, int to) {
        int crc = 0;
        for (byte b : Arrays.copyOfRange(key, from, to)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
        }
        return crc & 0xffff;
    }
}
