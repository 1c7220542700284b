package io.tenure.redis.servers;

import java.util.Arrays;
import java.util.List;

/**
 * A node as another one, or it itself, sees it.
 *
 * @param primary the id of whom it follows, or {@code -}
 * @param slots the ranges that it owns, without slots on the move
 */
record ClusterNode(String id, int port, List<String> flags, String primary, String link, List<String> slots) {

    static List<ClusterNode> seenBy(RedisProcess asked) {
        return asked.cli("CLUSTER", "NODES").lines().map(ClusterNode::parse).toList();
    }

    /** Such as {@code id 127.0.0.1:7000@17000,name myself,master - 0 0 1 connected 0-5460 5470 [5461->-id]}. */
    private static ClusterNode parse(String line) {
        String[] parts = line.split(" ", -1);
        String address = parts[1].substring(0, parts[1].indexOf('@'));
        return new ClusterNode(
                parts[0],
                Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
                List.of(parts[2].split(",", -1)),
                parts[3],
                parts[7],
                Arrays.stream(parts, 8, parts.length)
                        .filter(range -> !range.startsWith("["))
                        .toList());
    }

    /** Known by its own id, and connected with. */
    boolean isConnected() {
        return link.equals("connected") && !flags.contains("handshake");
    }

    boolean isFailing() {
        return flags.contains("fail") || flags.contains("fail?");
    }

    boolean isOwner() {
        return !slots.isEmpty();
    }

    boolean owns(int slot) {
        return slots.stream().anyMatch(range -> {
            String[] ends = range.split("-", -1);
            return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
        });
    }
}
