package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection for scripts that replicas have to acknowledge: a group of them, then one {@code WAIT} for all, then the
 * next group. A connection that was lost is never used again, not even when the client makes it anew: on the new one, to
 * whichever server, a {@code WAIT} would count replicas that have nothing of what was written over the old one.
 */
final class LettuceWaitLane implements RedisConnectionStateListener {
    /** How much longer than it was asked to a server may take before it counts as hung. */
    private static final long GRACE = Duration.ofSeconds(1).toNanos();

    private final CompletionStage<StatefulRedisConnection<byte[], byte[]>> connection;
    private final String server;
    private final Consumer<LettuceWaitLane> onIdle;
    private final AtomicBoolean broken = new AtomicBoolean();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicBoolean heard = new AtomicBoolean();
    private final AtomicBoolean doubted = new AtomicBoolean();
    private volatile @Nullable LettuceNode node;
    private volatile List<LettuceWaitCall> group = List.of();
    private volatile long hungAt = Long.MAX_VALUE;

    /** @param onIdle told when the next group can come, and when none can any more, since {@link #isBroken()} */
    LettuceWaitLane(
            CompletionStage<StatefulRedisConnection<byte[], byte[]>> connection,
            String server,
            Consumer<LettuceWaitLane> onIdle) {
        this.connection = connection;
        this.server = server;
        this.onIdle = onIdle;
    }

    boolean isBroken() {
        return broken.get();
    }

    /** Whether its server should have ended a wait long ago. */
    boolean isHung() {
        long at = hungAt;
        return at != Long.MAX_VALUE && System.nanoTime() - at > 0;
    }

    /** @param calls which all want the same of replicas */
    void run(List<LettuceWaitCall> calls) {
        group = calls;
        connection.whenComplete((open, failure) -> {
            if (failure != null) {
                breakOff(failed(failure));
            } else {
                send(open, calls.stream().filter(call -> !call.isDone()).toList());
            }
        });
    }

    private RuntimeException failed(Throwable failure) {
        Throwable cause = RedisErrors.causeOf(failure);
        return cause instanceof RuntimeException known
                ? LettuceFailures.unreachable(server, "its command time-out", known)
                : RedisErrors.lost(server, cause);
    }

    private void send(StatefulRedisConnection<byte[], byte[]> open, List<LettuceWaitCall> calls) {
        heard.set(calls.isEmpty());
        doubted.set(false);
        hungAt = System.nanoTime() + timeout(open).toNanos() + GRACE;
        LettuceNode node = node(open);
        // One more, so that the last answer is not taken for the end before all are sent.
        unanswered.set(calls.size() + 1);
        for (LettuceWaitCall call : calls) {
            LettuceCall script = new LettuceCall(keys -> node.itself(), call.script, call.keys, call.args, server);
            script.whenComplete((reply, failure) -> answered(open, call, reply, failure));
            call.sent(script);
            if (broken.get()) {
                script.completeExceptionally(lost());
            } else if (!script.isDone()) {
                script.start();
            }
        }
        oneLess(open);
    }

    private LettuceNode node(StatefulRedisConnection<byte[], byte[]> open) {
        LettuceNode known = node;
        if (known == null) {
            known = new LettuceNode(open, server);
            node = known;
        }
        return known;
    }

    private static Duration timeout(StatefulRedisConnection<byte[], byte[]> open) {
        return open.getTimeout().isZero() ? LettucePort.WITHOUT_TIMEOUT : open.getTimeout();
    }

    private void answered(
            StatefulRedisConnection<byte[], byte[]> open,
            LettuceWaitCall call,
            @Nullable RedisReply reply,
            @Nullable Throwable failure) {
        if (reply != null) {
            heard.set(true);
            call.replied(reply);
        } else if (failure instanceof CancellationException) {
            doubted.set(true); // not the fault of the connection, unless it answers nobody
        } else {
            RuntimeException why = failure instanceof RuntimeException known ? known : lost();
            call.fail(why);
            if (isOfTheConnection(why)) {
                breakOff(lost());
            }
        }
        oneLess(open);
    }

    private void oneLess(StatefulRedisConnection<byte[], byte[]> open) {
        if (unanswered.decrementAndGet() == 0) {
            if (doubted.get() && !heard.get()) {
                breakOff(lost());
            } else if (!broken.get()) {
                await(open);
            }
        }
    }

    /** Whether another connection may do better: this one is hung or lost, or leads to who is no primary any more. */
    private static boolean isOfTheConnection(RuntimeException failure) {
        return !(failure instanceof StoreException store)
                || store.isTransient()
                || String.valueOf(store.getMessage()).contains("[READONLY");
    }

    private void await(StatefulRedisConnection<byte[], byte[]> open) {
        List<LettuceWaitCall> waiting =
                group.stream().filter(call -> !call.isDone()).toList();
        if (waiting.isEmpty()) {
            ended();
            return;
        }
        int replicas = waiting.get(0).wanted.replicas();
        long millis = waiting.get(0).wanted.timeout().toMillis();
        hungAt = System.nanoTime() + Duration.ofMillis(millis).toNanos() + GRACE;
        try {
            open.async().waitForReplication(replicas, millis).whenComplete((count, failure) -> {
                if (failure == null && !broken.get()) {
                    waiting.forEach(call -> call.acknowledged(count.intValue()));
                    ended();
                    return;
                }
                StoreException why = failure == null ? lost() : LettuceCall.failure(failure, server);
                waiting.forEach(call -> call.fail(why));
                if (isOfTheConnection(why)) {
                    breakOff(why);
                } else {
                    ended();
                }
            });
        } catch (RuntimeException e) {
            breakOff(LettuceCall.failure(e, server));
        }
    }

    private void ended() {
        hungAt = Long.MAX_VALUE;
        group = List.of();
        onIdle.accept(this);
    }

    private StoreException lost() {
        return RedisErrors.lost(
                server, new RedisException("The connection broke before replicas had acknowledged anything"));
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
        breakOff(lost());
    }

    /** Fails what is under way, and closes the connection, now or when it has been made. */
    CompletionStage<?> breakOff(RuntimeException why) {
        if (!broken.compareAndSet(false, true)) {
            return CompletableFuture.completedStage(null);
        }
        group.forEach(call -> call.fail(why));
        onIdle.accept(this);
        return connection.thenCompose(StatefulRedisConnection::closeAsync).exceptionally(failure -> null);
    }
}
