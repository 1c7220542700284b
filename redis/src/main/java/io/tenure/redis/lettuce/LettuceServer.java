package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.StoreException;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server, or whichever the client connects to: what sentinels or a name in the network make of it may change. A server
 * that was replaced may keep its connections, because it hangs, or was made a replica by hand. So when it does not answer, or
 * takes no writes, the client is asked for one more connection, which takes over where it leads elsewhere.
 */
final class LettuceServer implements LettuceTopology, RedisConnectionStateListener {
    /** How long one more connection may take to be made. A server that hangs takes them, and does not greet. */
    private static final long LOOK_MILLIS = 2_000;

    private static final long LONGEST_LOOK_MILLIS = 30_000;

    /**
     * How many may be on their way at a time: the later ones lead to the successor of the server that the first ones hang at.
     * A client that gives up after a minute, as one of Lettuce's does by default, never has as many.
     */
    private static final int MOST_UNDER_WAY = 8;

    /** Who says which server the client connects to. */
    enum Guide {
        /** Sentinels, who name the primary sooner or later. */
        SENTINELS,
        /** The URL, a name in the network, or whatever the application has chosen. */
        UNKNOWN
    }

    private final String server;
    private final Guide guide;
    private volatile LettuceNode node;
    private final Supplier<CompletionStage<LettuceOpened<StatefulRedisConnection<byte[], byte[]>>>> another;
    private final LettuceWaits waits;
    private final Runnable onMoved;
    private final List<Runnable> onReturn = new CopyOnWriteArrayList<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    /** Whether the last look led to the same server again. */
    private volatile boolean confirmed;
    /** Where the connection leads, or has led. */
    private volatile String address;

    /** Twice as long each time, since Lettuce may go on connecting for as long as the client's own time-out. */
    private volatile long lookMillis = LOOK_MILLIS;

    private volatile boolean closed;
    /**
     * Of looks of which something is left yet, but what they were for: closing must not leave a connection behind. A look
     * that is given up goes on connecting for as long as the client has time.
     */
    private final LettuceUnderWay underWay = new LettuceUnderWay();

    /**
     * @param server for messages
     * @param another opens one more connection
     * @param waits connections to whichever server it is
     * @param onMoved told when another server has taken the place of the first
     */
    LettuceServer(
            String server,
            Guide guide,
            LettuceOpened<StatefulRedisConnection<byte[], byte[]>> first,
            Supplier<CompletionStage<LettuceOpened<StatefulRedisConnection<byte[], byte[]>>>> another,
            LettuceWaits waits,
            Runnable onMoved) {
        this.server = server;
        this.guide = guide;
        this.node = new LettuceNode(first.connection(), server);
        this.address = first.address();
        this.another = another;
        this.waits = waits;
        this.onMoved = onMoved;
        first.connection().addListener(this);
    }

    @Override
    public CompletableFuture<LettuceNode> nodeFor(byte[][] keys) {
        return node.itself();
    }

    @Override
    public CompletableFuture<List<LettuceNode>> primaries() {
        return CompletableFuture.completedFuture(List.of(node));
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        return waits.run(wanted, wait, script, keys, args);
    }

    @Override
    public void unanswered(LettuceNode node) {
        look();
    }

    /** A server that has answered before may have been made a replica since; and sentinels may not have heard of it yet. */
    @Override
    public StoreException refusal(LettuceNode by, String reply) {
        if (!reply.contains("READONLY")) {
            return RedisErrors.ofReply(reply);
        }
        boolean mayPass = guide == Guide.SENTINELS || by.hasAnswered() && !confirmed;
        look();
        return mayPass
                ? StoreException.passing(
                        "The server " + by + " takes no writes any more, as if it had been made a replica:"
                                + " its successor is looked for [" + reply + "]")
                : RedisErrors.ofReply(reply);
    }

    private void look() {
        if (closed || underWay.count() >= MOST_UNDER_WAY || !looking.compareAndSet(false, true)) {
            return;
        }
        // Before the second look at closed: closing sees this one, or this one sees that all is closed.
        CompletableFuture<Void> over = underWay.begin();
        CompletableFuture<LettuceOpened<StatefulRedisConnection<byte[], byte[]>>> found = new CompletableFuture<>();
        found.whenComplete((open, failure) -> {
            lookMillis = failure == null ? LOOK_MILLIS : Math.min(2 * lookMillis, LONGEST_LOOK_MILLIS);
            if (failure == null) {
                compare(open);
            }
            looking.set(false);
        });
        try {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            ScheduledExecutorService timer = node.connection().getResources().eventExecutorGroup();
            timer.schedule(() -> found.cancel(false), lookMillis, TimeUnit.MILLISECONDS);
            another.get().whenComplete((open, failure) -> looked(found, open, failure, over));
        } catch (RuntimeException e) {
            if (e instanceof RejectedExecutionException) {
                closed = true; // with the client
            }
            found.completeExceptionally(e);
            over.complete(null);
        }
    }

    private void looked(
            CompletableFuture<LettuceOpened<StatefulRedisConnection<byte[], byte[]>>> found,
            @Nullable LettuceOpened<StatefulRedisConnection<byte[], byte[]>> open,
            @Nullable Throwable failure,
            CompletableFuture<Void> over) {
        if (open == null) {
            found.completeExceptionally(failure == null ? new IllegalStateException("no connection") : failure);
            over.complete(null);
            return;
        }
        // Does nothing when it comes too late.
        found.complete(open);
        if (closed || !node.isOver(open.connection())) {
            open.connection().closeAsync().whenComplete((end, trouble) -> over.complete(null));
        } else {
            over.complete(null);
        }
    }

    private void compare(LettuceOpened<StatefulRedisConnection<byte[], byte[]>> open) {
        confirmed = open.address().equals(address);
        if (confirmed || closed) {
            return;
        }
        LettuceNode before = node;
        before.connection().removeListener(this);
        open.connection().addListener(this);
        address = open.address();
        node = new LettuceNode(open.connection(), server);
        before.connection().closeAsync();
        onMoved.run();
        onReturn.forEach(Runnable::run);
    }

    @Override
    public void onReturn(Runnable action) {
        onReturn.add(action);
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> back, SocketAddress at) {
        confirmed = false;
        address = LettuceConnections.text(at);
        onReturn.forEach(Runnable::run);
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public Duration timeout() {
        return node.connection().getTimeout();
    }

    @Override
    public CompletionStage<?> close() {
        closed = true;
        return CompletableFuture.allOf(
                waits.close().toCompletableFuture(), node.connection().closeAsync(), underWay.over());
    }
}
