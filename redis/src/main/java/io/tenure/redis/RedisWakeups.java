package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.StoreException;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pushes of releases: a channel for each incarnation that waits, whatever the number of names. */
final class RedisWakeups implements Wakeups, AutoCloseable {
    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int RETRY_DOUBLINGS = 7;
    /** How long the client may take to renew a subscription by itself. */
    private static final long RENEWED_WITHIN = TimeUnit.SECONDS.toNanos(5);

    private static final long LOOKS_A_MILLI = 10;
    private static final long CLOSE_WAIT_MILLIS = 500;
    /** In so many milliseconds, of which there are not more than the longest ttl has, look for that name. */
    private static final Pattern WAKE = Pattern.compile("([0-9]{1,10}) (.{1,512})", Pattern.DOTALL);

    private final RedisPort port;
    private final Consumer<StoreException> onRefused;
    private final Runnable onPublishRefused;
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<?>> leaving = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param onRefused told once for each refusal to subscribe
     * @param onPublishRefused told when a script could not publish
     */
    RedisWakeups(RedisPort port, Consumer<StoreException> onRefused, Runnable onPublishRefused) {
        this.port = port;
        this.onRefused = onRefused;
        this.onPublishRefused = onPublishRefused;
        port.onReturn(() -> {
            channels.values().forEach(Channel::askAgain);
            lookAll(channels.values());
        });
    }

    /** Tells everybody to look, a few at a time: a store that has just come back is not to be met by all at once. */
    private static void lookAll(Iterable<Channel> channels) {
        long told = 0;
        for (Channel channel : channels) {
            for (List<Interest> waiting : channel.interests.values()) {
                Duration after = Duration.ofMillis(told++ / LOOKS_A_MILLI);
                waiting.forEach(interest -> interest.listener.wake(after));
            }
        }
    }

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        Channel channel = channels.computeIfAbsent(waiter, Channel::new);
        Interest interest = new Interest(channel, name, listener);
        channel.interests.compute(name, (key, others) -> {
            List<Interest> all = others == null ? new CopyOnWriteArrayList<>() : others;
            all.add(interest);
            return all;
        });
        channel.enliven();
        return interest;
    }

    /** Told with every attempt of somebody who waits: what was refused, or did not come back, is due again. */
    void stillWanted(String waiter) {
        Channel channel = channels.get(waiter);
        if (channel != null) {
            channel.enliven();
        }
    }

    /** Told when a script could not publish: this user may listen, but not speak. */
    void mute() {
        channels.values().forEach(Channel::mute);
    }

    @Override
    public boolean isLive() {
        if (channels.isEmpty()) {
            return false;
        }
        for (Channel channel : channels.values()) {
            if (channel.state.get() != State.LIVE) {
                return false;
            }
        }
        return true;
    }

    /** Takes {@code waiter} out of the line, and wakes the next when the lease is free. */
    @SuppressWarnings({"CollectionUndefinedEquality", "UndefinedEquals"}) // one future equals itself, and that is meant
    private CompletableFuture<?> leave(String name, String waiter) {
        if (closed) {
            return CompletableFuture.completedFuture(null);
        }
        byte[] nameBytes = name.getBytes(UTF_8);
        CompletableFuture<RedisReply> left = port.run(
                        Scripts.LEAVE,
                        LeaseKeys.leaseAndLine(nameBytes),
                        waiter.getBytes(UTF_8),
                        nameBytes,
                        RedisLeaseStore.flag(port.isCluster()))
                .toCompletableFuture();
        leaving.add(left);
        left.whenComplete((reply, failure) -> {
            leaving.remove(left);
            // A failure costs the next waiter time, no more: it polls, and the entry runs out.
            if (failure == null && reply.asLong() == 1) {
                onPublishRefused.run();
            }
        });
        return left;
    }

    /** Lets the last waiters leave the line, for a bounded time. */
    @Override
    public void close() {
        closed = true;
        try {
            CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new))
                    .get(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Entries that stay run out by themselves.
            leaving.clear();
        }
        channels.clear();
    }

    private enum State {
        NEW,
        PENDING,
        /** Subscribed, and asking whether releases made here could tell anybody. */
        PROBING,
        LIVE,
        LOST,
        REFUSED,
        /** Subscribed, but without the right to publish. */
        MUTE
    }

    /**
     * The channel of one incarnation. It counts as live once it is subscribed and this user is known to be allowed to
     * publish: whoever may not is most likely one of many with the same rights, whose releases tell nobody, and a waiter
     * that looked slowly would let the one that resigned win again before it ever looked.
     */
    private final class Channel implements RedisPort.Subscriber {
        private final String waiter;
        private final Map<String, List<Interest>> interests = new ConcurrentHashMap<>();
        private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
        private final AtomicInteger refusals = new AtomicInteger();
        private final AtomicBoolean missed = new AtomicBoolean();
        /** The names whose line is just being left because of a push that nobody here waits for. */
        private final Set<String> passingOn = ConcurrentHashMap.newKeySet();

        private volatile long since;

        Channel(String waiter) {
            this.waiter = waiter;
        }

        /** Brings the push to life, when it is not, and the last try was long enough ago. */
        void enliven() {
            State now = state.get();
            if (now == State.NEW || now == State.LOST || now == State.REFUSED) {
                if (isDue(now) && state.compareAndSet(now, State.PENDING)) {
                    port.subscribe("tenure:wake:" + waiter, this);
                }
            } else if ((now == State.MUTE || now == State.PROBING) && isDue(now)) {
                since = System.nanoTime();
                if (state.compareAndSet(now, State.PROBING)) {
                    probe();
                }
            }
        }

        /** Whether a refusal, or a client that does what it was asked for by itself, was left alone for long enough. */
        private boolean isDue(State now) {
            int doublings = Math.min(Math.max(refusals.get() - 1, 0), RETRY_DOUBLINGS);
            boolean refused = now == State.REFUSED || now == State.MUTE;
            return now == State.NEW
                    || System.nanoTime() - since > (refused ? FIRST_RETRY << doublings : RENEWED_WITHIN);
        }

        /** The server can be asked again: the push may have come back first, when it could not be. */
        void askAgain() {
            State now = state.get();
            if ((now == State.MUTE || now == State.PROBING) && state.compareAndSet(now, State.PROBING)) {
                since = System.nanoTime();
                probe();
            }
        }

        private void probe() {
            if (!closed) {
                port.run(Scripts.PROBE, new byte[0][], waiter.getBytes(UTF_8)).whenComplete(this::probed);
            }
        }

        private void probed(@Nullable RedisReply reply, @Nullable Throwable failure) {
            boolean publishes = reply != null && reply.asLong() == 0;
            // Before the push counts as live, so that whoever sees it live knows that what comes next is a release.
            if (missed.getAndSet(false) || publishes) {
                lookAll(List.of(this));
            }
            if (publishes) {
                refusals.set(0);
                state.compareAndSet(State.PROBING, State.LIVE);
                return;
            }
            refusals.incrementAndGet();
            since = System.nanoTime();
            state.compareAndSet(State.PROBING, State.MUTE);
            if (failure == null) {
                onPublishRefused.run();
            }
        }

        /** A release or the like could not publish. */
        void mute() {
            if (state.compareAndSet(State.LIVE, State.MUTE)) {
                since = System.nanoTime();
            }
        }

        @Override
        public void message(byte[] payload) {
            String text = new String(payload, UTF_8);
            Matcher wake = WAKE.matcher(text);
            if (!wake.matches()) {
                return; // not from a script of ours
            }
            Duration after = Duration.ofMillis(Long.parseLong(wake.group(1)));
            String name = wake.group(2);
            List<Interest> waiting = interests.get(name);
            if (waiting != null) {
                waiting.forEach(interest -> interest.listener.wake(after));
            } else if (passingOn.add(name)) {
                // Whatever else was published to this waiter before it has left the line is answered by that, too.
                leave(name, waiter).whenComplete((left, failure) -> passingOn.remove(name));
            }
        }

        @Override
        public void established() {
            missed.set(true); // pushes, until now
            since = System.nanoTime();
            state.set(State.PROBING);
            probe();
        }

        @Override
        public void lost() {
            since = System.nanoTime();
            state.updateAndGet(
                    now -> now == State.LIVE || now == State.PROBING || now == State.MUTE ? State.LOST : now);
        }

        @Override
        public void refused(StoreException reason) {
            refusals.incrementAndGet();
            since = System.nanoTime();
            state.set(State.REFUSED);
            if (!reason.isTransient()) {
                onRefused.accept(reason);
            }
        }
    }

    private final class Interest implements Registration {
        private final Channel channel;
        private final String name;
        private final Listener listener;
        private final AtomicBoolean over = new AtomicBoolean();

        Interest(Channel channel, String name, Listener listener) {
            this.channel = channel;
            this.name = name;
            this.listener = listener;
        }

        @Override
        public void served() {
            end();
        }

        @Override
        public void close() {
            if (end()) {
                leave(name, channel.waiter);
            }
        }

        /** Whether this was the last interest of the incarnation in the name, and ended just now. */
        private boolean end() {
            if (!over.compareAndSet(false, true)) {
                return false;
            }
            return channel.interests.computeIfPresent(name, (key, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    })
                    == null;
        }
    }
}
