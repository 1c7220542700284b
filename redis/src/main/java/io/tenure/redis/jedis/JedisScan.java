package io.tenure.redis.jedis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** One walk over the keys of all primaries, page by page, so that it keeps no thread from other calls for long. */
final class JedisScan extends CompletableFuture<List<byte[]>> {
    private static final int STEP = 500;
    private static final byte[] START = {'0'};

    private final JedisNodes nodes;
    private final byte[] pattern;
    private final List<byte[]> found = new ArrayList<>();

    JedisScan(JedisNodes nodes, byte[] pattern) {
        this.nodes = nodes;
        this.pattern = pattern;
    }

    JedisScan start() {
        try {
            next(nodes.primaries().iterator());
        } catch (RuntimeException e) {
            completeExceptionally(JedisFailures.of(e, nodes.describe()));
        }
        return this;
    }

    private void next(Iterator<JedisNode> left) {
        if (left.hasNext()) {
            walk(left.next(), START, left);
        } else {
            complete(found);
        }
    }

    private void walk(JedisNode node, byte[] from, Iterator<JedisNode> left) {
        if (isDone()) {
            return;
        }
        new JedisCall<>(
                        nodes,
                        JedisTopology.NO_SLOT,
                        node,
                        JedisCall.Urgency.CAN_WAIT,
                        (connection, asked, route) ->
                                page(connection.executeCommand(new CommandArguments(Protocol.Command.SCAN)
                                        .add(from)
                                        .add("MATCH".getBytes(ISO_8859_1))
                                        .add(pattern)
                                        .add("COUNT".getBytes(ISO_8859_1))
                                        .add(STEP))))
                .start()
                .whenComplete((page, failure) -> {
                    if (failure != null) {
                        completeExceptionally(failure);
                        return;
                    }
                    found.addAll(page.keys());
                    if (page.isLast()) {
                        next(left);
                    } else {
                        walk(node, page.cursor(), left);
                    }
                });
    }

    private static Page page(Object reply) {
        List<?> parts = (List<?>) reply;
        List<byte[]> keys = new ArrayList<>();
        ((List<?>) parts.get(1)).forEach(key -> keys.add((byte[]) key));
        return new Page((byte[]) parts.get(0), keys);
    }

    private record Page(byte[] cursor, List<byte[]> keys) {
        boolean isLast() {
            return cursor.length == 1 && cursor[0] == '0';
        }
    }
}
