package io.tenure.testkit.net;

import io.tenure.testkit.net.Valve.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP relay on a free port of the loopback interface, between clients and their server: a network that delays, holds
 * back, swallows, cuts and refuses when it is told to. Clients are given {@link #port()} instead of the server's port.
 *
 * <p>What is ordered holds for all connections, those there are and those to come, until the next order for the same
 * {@link Direction}. It handles bytes and knows nothing of messages: where an answer was swallowed, the connection's later
 * answers belong to other requests, so {@linkplain #cut() cut} before you let bytes {@linkplain #pass pass} again. Orders
 * given while bytes are being written do not reach those any more; whatever is sent after an order has returned obeys it.
 *
 * <p>Thread-safe. {@link #close()} ends all connections and threads.
 */
public final class TcpRelay implements AutoCloseable {
    private static final long JOIN_MILLIS = 5_000;

    private final InetSocketAddress target;
    private final ServerSocket door;
    private final Thread porter;
    private final Map<Direction, Valve> valves = new EnumMap<>(Direction.class);
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Link> links = new LinkedHashSet<>();
    private Entrance entrance = Entrance.OPEN;

    private enum Entrance {
        OPEN,
        REFUSING,
        CLOSED
    }

    private TcpRelay(InetSocketAddress target, ServerSocket door) {
        this.target = target;
        this.door = door;
        for (Direction direction : Direction.values()) {
            valves.put(direction, new Valve());
        }
        porter = new Thread(this::admit, "relay-" + door.getLocalPort());
        porter.setDaemon(true);
    }

    /**
     * Starts a relay to a port of this machine's loopback interface.
     *
     * @throws UncheckedIOException when there is no free port to listen on
     */
    public static TcpRelay to(int port) {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Starts a relay to {@code target}, which need not be there yet.
     *
     * @throws UncheckedIOException when there is no free port to listen on
     */
    public static TcpRelay to(InetSocketAddress target) {
        Objects.requireNonNull(target, "target");
        try {
            TcpRelay relay = new TcpRelay(target, new ServerSocket(0, 128, InetAddress.getLoopbackAddress()));
            relay.porter.start();
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port of the loopback interface that clients connect to. */
    public int port() {
        return door.getLocalPort();
    }

    /**
     * Puts back whatever goes in {@code direction} by {@code delay}, from when it came in: the latency grows, the
     * throughput stays. Held bytes go on when their delay is over.
     *
     * @param delay zero or more
     * @throws IllegalArgumentException when {@code delay} is negative
     */
    public void delay(Direction direction, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A delay cannot be negative: " + delay);
        }
        valve(direction).set(Mode.PASS, delay.toNanos());
    }

    /** Keeps back whatever goes in {@code direction}, ends of connections included, until another order. */
    public void hold(Direction direction) {
        valve(direction).set(Mode.HOLD, 0);
    }

    /** Loses whatever goes in {@code direction}, what is held at the moment and ends of connections included. */
    public void swallow(Direction direction) {
        valve(direction).set(Mode.SWALLOW, 0);
    }

    /** Lets pass at once whatever goes in {@code direction}; what is held goes first, in the order in which it came. */
    public void pass(Direction direction) {
        valve(direction).set(Mode.PASS, 0);
    }

    /** Resets every connection, on both sides; what is on its way is lost. New ones are taken as before. */
    public void cut() {
        List<Link> all;
        lock.lock();
        try {
            all = List.copyOf(links);
        } finally {
            lock.unlock();
        }
        all.forEach(Link::cut);
    }

    /** Resets new connections at once, until {@link #accept()}; those there are stay. The port remains taken. */
    public void refuse() {
        enter(Entrance.REFUSING);
    }

    /** Takes new connections again. */
    public void accept() {
        enter(Entrance.OPEN);
    }

    /** How many connections are open. */
    public int connections() {
        lock.lock();
        try {
            return links.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes have come in for {@code direction} so far, whatever became of them. */
    public long arrived(Direction direction) {
        return valve(direction).arrived();
    }

    /** Resets every connection and takes no more; returns when no thread of the relay is left. Twice is once. */
    @Override
    public void close() {
        List<Thread> threads = new ArrayList<>(List.of(porter));
        lock.lock();
        try {
            entrance = Entrance.CLOSED;
            links.forEach(link -> threads.addAll(link.threads()));
        } finally {
            lock.unlock();
        }
        cut();
        try {
            door.close();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Valve valve(Direction direction) {
        return Objects.requireNonNull(valves.get(Objects.requireNonNull(direction, "direction")));
    }

    private void enter(Entrance next) {
        lock.lock();
        try {
            if (entrance != Entrance.CLOSED) {
                entrance = next;
            }
        } finally {
            lock.unlock();
        }
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                connect(door.accept());
            } catch (IOException e) {
                // The door was closed, which ends the loop, or a client left before it was let in.
            }
        }
    }

    private void connect(Socket client) {
        Link link = new Link(client, valve(Direction.TO_SERVER), valve(Direction.TO_CLIENT), this::forget);
        if (isAdmitted(link)) {
            link.open(target);
        } else {
            Link.reset(client);
        }
    }

    /** Lists a connection before it is made, so that no cut misses one that the server has seen already. */
    private boolean isAdmitted(Link link) {
        lock.lock();
        try {
            return entrance == Entrance.OPEN && links.add(link);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Link link) {
        lock.lock();
        try {
            links.remove(link);
        } finally {
            lock.unlock();
        }
    }
}
