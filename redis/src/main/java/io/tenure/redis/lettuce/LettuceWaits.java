package io.tenure.redis.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Scripts that replicas of one server have to acknowledge, over a few connections, opened when first needed. What comes
 * while all of them wait goes out together with the next one that is free, and is waited for together: so nobody is
 * delayed by more than one wait of others, however many there are.
 */
final class LettuceWaits {
    private static final int MOST_LANES = 4;
    /** Few enough that the server is not held for long. */
    private static final int MOST_TOGETHER = 100;

    /** Opens a connection, without waiting for it. */
    interface Opener {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> open();
    }

    private final Opener opener;
    private final String server;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<LettuceWaitCall> queue = new ArrayDeque<>();
    private final Deque<LettuceWaitLane> idle = new ArrayDeque<>();
    private final Set<LettuceWaitLane> lanes = new HashSet<>();
    private boolean closed;

    /** @param server for messages */
    LettuceWaits(Opener opener, String server) {
        this.opener = opener;
        this.server = server;
    }

    CompletionStage<Acknowledgement.Outcome> run(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        LettuceWaitCall call = new LettuceWaitCall(wanted, wait, script, keys, args);
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(RedisErrors.closed(server));
            }
            queue.add(call);
        } finally {
            lock.unlock();
        }
        sendOn();
        return call;
    }

    /** Sends what can be sent: by a free lane, or a new one while there are few. */
    private void sendOn() {
        hung().forEach(lane ->
                lane.breakOff(RedisErrors.lost(server, new IllegalStateException("It did not end a wait in time"))));
        for (Sending next = next(); next != null; next = next()) {
            next.lane.run(next.group);
        }
    }

    private record Sending(LettuceWaitLane lane, List<LettuceWaitCall> group) {}

    private @Nullable Sending next() {
        lock.lock();
        try {
            queue.removeIf(CompletableFuture::isDone);
            if (queue.isEmpty() || closed) {
                return null;
            }
            idle.removeIf(LettuceWaitLane::isBroken);
            LettuceWaitLane lane = idle.poll();
            if (lane == null && lanes.size() < MOST_LANES) {
                lane = open();
                lanes.add(lane);
            }
            return lane == null ? null : new Sending(lane, group());
        } finally {
            lock.unlock();
        }
    }

    /** Those that can share a wait with the first one. */
    private List<LettuceWaitCall> group() {
        Acknowledgement wanted = queue.element().wanted;
        List<LettuceWaitCall> group = new ArrayList<>();
        Iterator<LettuceWaitCall> calls = queue.iterator();
        while (calls.hasNext() && group.size() < MOST_TOGETHER) {
            LettuceWaitCall call = calls.next();
            if (call.wanted.equals(wanted)) {
                group.add(call);
                calls.remove();
            }
        }
        return group;
    }

    private LettuceWaitLane open() {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection = new CompletableFuture<>();
        LettuceWaitLane lane = new LettuceWaitLane(connection, server, this::idle);
        try {
            opener.open().whenComplete((open, failure) -> {
                if (failure == null) {
                    open.addListener(lane);
                    connection.complete(open);
                } else {
                    connection.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException e) {
            connection.completeExceptionally(e);
        }
        return lane;
    }

    private List<LettuceWaitLane> hung() {
        lock.lock();
        try {
            return lanes.stream().filter(LettuceWaitLane::isHung).toList();
        } finally {
            lock.unlock();
        }
    }

    private void idle(LettuceWaitLane lane) {
        lock.lock();
        try {
            if (lane.isBroken()) {
                lanes.remove(lane);
            } else {
                idle.push(lane);
            }
        } finally {
            lock.unlock();
        }
        sendOn();
    }

    /** Fails what is under way, and completes when no connection is open any more. */
    CompletionStage<?> close() {
        List<LettuceWaitLane> open;
        List<LettuceWaitCall> unsent;
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(lanes);
            unsent = List.copyOf(queue);
            queue.clear();
        } finally {
            lock.unlock();
        }
        unsent.forEach(call -> call.fail(RedisErrors.closed(server)));
        return CompletableFuture.allOf(open.stream()
                .map(lane -> lane.breakOff(RedisErrors.closedMeanwhile(server)).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
