package io.tenure.redis.lettuce;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** What a Lettuce client connects to, over a connection to each server that leases lie on, and one for pushes. */
final class LettucePort implements RedisPort {
    /** How long a fenced write blocks when the client knows no bound: what a client of Lettuce's has unless it is set. */
    static final Duration WITHOUT_TIMEOUT = Duration.ofSeconds(60);

    /** How long closing waits for a connection that is just being made, on a server that may be hung. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

    private final LettuceTopology topology;
    private final LettuceSubscriptions subscriptions;
    private final String server;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    LettucePort(LettuceTopology topology, LettuceSubscriptions subscriptions, String server, Runnable onClose) {
        this.topology = topology;
        this.subscriptions = subscriptions;
        this.server = server;
        this.onClose = onClose;
    }

    @Override
    public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(RedisErrors.closed(server));
        }
        return new LettuceCall(topology, script, keys, args, server).start();
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        return topology.runAcknowledged(wanted, wait, script, keys, args);
    }

    @Override
    public CompletionStage<List<byte[]>> keys(byte[] pattern) {
        CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
        topology.primaries()
                .thenCompose(nodes -> join(nodes.stream()
                        .map(node -> new LettuceScan(node, pattern).start())
                        .toList()))
                .whenComplete((keys, failure) -> {
                    if (failure == null) {
                        all.complete(keys);
                    } else {
                        all.completeExceptionally(LettuceCall.failure(failure, server));
                    }
                });
        return all;
    }

    private static CompletableFuture<List<byte[]>> join(List<LettuceScan> walks) {
        return CompletableFuture.allOf(walks.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<byte[]> all = new ArrayList<>();
            walks.forEach(walk -> all.addAll(walk.join()));
            return all;
        });
    }

    @Override
    public CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
        CompletableFuture<List<Inspection>> all = new CompletableFuture<>();
        topology.primaries().whenComplete((nodes, failure) -> {
            if (failure == null) {
                all.complete(nodes.stream()
                        .map(node -> LettuceLook.at(node, commands))
                        .toList());
            } else {
                all.completeExceptionally(LettuceCall.failure(failure, server));
            }
        });
        return all;
    }

    @Override
    public void subscribe(String channel, Subscriber subscriber) {
        subscriptions.add(channel, subscriber);
    }

    @Override
    public void onReturn(Runnable action) {
        topology.onReturn(action);
    }

    @Override
    public boolean isCluster() {
        return topology.isCluster();
    }

    @Override
    public Duration timeout() {
        Duration timeout = topology.timeout();
        return timeout.isZero() ? WITHOUT_TIMEOUT : timeout;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CompletionStage<?> others = subscriptions.close().thenCombine(topology.close(), (first, second) -> second);
            // A client of our own that is shut down while a connection is being made leaves it open for ever.
            await(others);
            onClose.run();
        }
    }

    private static void await(CompletionStage<?> end) {
        try {
            end.toCompletableFuture().get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // There is none, or none for as long as anybody should wait for it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return server;
    }
}
