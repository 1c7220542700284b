package io.tenure.redis.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.internal.HostAndPort;
import io.tenure.StoreException;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Scripts that replicas of nodes of a cluster have to acknowledge: over connections to the very node that owns the slot. A
 * client for clusters would follow the script to another node, and then ask the first one for its replicas.
 */
final class LettuceClusterWaits {
    private static final Pattern MOVED = Pattern.compile("\\[(MOVED \\d+ \\S+)]");
    private static final int MOST_REDIRECTIONS = 5;

    private final LettuceRoutes cluster;
    private final Supplier<Partitions> partitions;
    private final RedisClient client;
    private final Map<String, LettuceWaits> nodes = new ConcurrentHashMap<>();

    /** @param like the client whose settings count, and whose threads are used */
    LettuceClusterWaits(LettuceRoutes cluster, RedisClusterClient like, Supplier<Partitions> partitions) {
        this.cluster = cluster;
        this.partitions = partitions;
        this.client = RedisClient.create(like.getResources());
        if (like.getOptions() != null) {
            client.setOptions(like.getOptions());
        }
    }

    CompletionStage<Acknowledgement.Outcome> run(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        Routed call = new Routed(node -> at(node).run(wanted, wait, script, keys, args));
        call.follow(() -> cluster.nodeFor(keys));
        return call;
    }

    private LettuceWaits at(LettuceNode node) {
        String address = node.toString();
        return nodes.computeIfAbsent(
                address,
                key -> new LettuceWaits(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri(node)), address));
    }

    /** With the user of the connection that the cluster's client made: what it knows of nodes may lack him. */
    private RedisURI uri(LettuceNode of) {
        RedisURI uri = known(of.toString());
        if (of.connection() instanceof StatefulRedisConnectionImpl<?, ?> open) {
            RedisCredentialsProvider user = open.getConnectionState().getCredentialsProvider();
            if (user != null) {
                uri.setCredentialsProvider(user);
            }
        }
        return uri;
    }

    private RedisURI known(String address) {
        HostAndPort at = HostAndPort.parseCompat(address);
        RedisClusterNode node = partitions.get().getPartition(at.getHostText(), at.getPort());
        if (node == null) {
            throw new RedisException(address + " is no node of the cluster any more");
        }
        return RedisURI.builder(node.getUri()).build();
    }

    /** As {@link LettuceWaits#close}. */
    CompletionStage<?> close() {
        CompletableFuture<?>[] all = nodes.values().stream()
                .map(node -> node.close().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all).thenCompose(done -> client.shutdownAsync(0, 2, TimeUnit.SECONDS));
    }

    /** Sends a script to a node. */
    private interface Sending {
        CompletionStage<Acknowledgement.Outcome> to(LettuceNode node);
    }

    /** A script on its way to the node that owns its slot. One that a node refused with MOVED has not been carried out. */
    private final class Routed extends CompletableFuture<Acknowledgement.Outcome> {
        private final Sending sending;
        private volatile @Nullable CompletableFuture<?> sent;
        private int redirections;

        Routed(Sending sending) {
            this.sending = sending;
        }

        void follow(Supplier<CompletableFuture<LettuceNode>> finding) {
            try {
                finding.get().whenComplete((node, failure) -> {
                    if (failure != null) {
                        completeExceptionally(LettuceCall.failure(failure, "the cluster"));
                    } else if (!isDone()) {
                        send(node);
                    }
                });
            } catch (RuntimeException e) {
                completeExceptionally(LettuceCall.failure(e, "the cluster"));
            }
        }

        private void send(LettuceNode node) {
            CompletionStage<Acknowledgement.Outcome> command = sending.to(node);
            sent = command.toCompletableFuture();
            if (isDone()) {
                command.toCompletableFuture().cancel(false);
            }
            command.whenComplete((outcome, failure) -> {
                if (failure == null) {
                    complete(outcome);
                } else {
                    failed(failure);
                }
            });
        }

        private void failed(Throwable failure) {
            Throwable cause = RedisErrors.causeOf(failure);
            String message = String.valueOf(cause.getMessage());
            Matcher moved = MOVED.matcher(message);
            if (moved.find() && redirections++ < MOST_REDIRECTIONS) {
                follow(() -> cluster.redirected(moved.group(1)));
            } else if (moved.reset().find() || message.contains("[ASK ")) {
                completeExceptionally(StoreException.passing(
                        "The slot of the lease is being moved to another node; nothing was done. " + message, cause));
            } else {
                completeExceptionally(cause);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> command = sent;
            if (command != null) {
                command.cancel(false);
            }
            return cancelled;
        }
    }
}
