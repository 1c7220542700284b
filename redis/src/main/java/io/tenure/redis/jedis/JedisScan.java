package io.tenure.redis.jedis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** One walk over the keys of all primaries, page by page, so that it keeps no thread from other calls for long. */
final class JedisScan extends CompletableFuture<List<byte[]>> {
    private static final int STEP = 500;
    /** Where a walk begins, and what the server answers when it is over. */
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
                                (List<?>) connection.executeCommand(new CommandArguments(Protocol.Command.SCAN)
                                        .add(from)
                                        .add("MATCH".getBytes(ISO_8859_1))
                                        .add(pattern)
                                        .add("COUNT".getBytes(ISO_8859_1))
                                        .add(STEP)))
                .start()
                .whenComplete((page, failure) -> {
                    if (failure != null) {
                        completeExceptionally(failure);
                        return;
                    }
                    byte[] cursor = (byte[]) page.get(0);
                    ((List<?>) page.get(1)).forEach(key -> found.add((byte[]) key));
                    if (Arrays.equals(cursor, START)) {
                        next(left);
                    } else {
                        walk(node, cursor, left);
                    }
                });
    }
}
