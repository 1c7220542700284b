package io.tenure.jdbc.postgres;

import io.tenure.jdbc.postgres.ListeningConnection.ForeignDriverException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is kept for listening to one channel, and one thread that waits on it; both from {@link #start()} to
 * {@link #close()}. A connection that is lost is replaced, with pauses that grow. Thread-safe.
 */
final class PostgresListener implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private static final long CLOSE_WAIT_MILLIS = 500;
    private static final String PROBE = "probe";
    /** Lost connections, and servers that come, go or are full: nothing that has to be told of listening. */
    private static final Set<String> PASSING = Set.of("08", "53", "57");

    private final DataSource listenOn;
    private final DataSource speakOn;
    private final Ears ears;
    private final Patience patience;
    private final String channel =
            "tenure_" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private @Nullable Thread thread;
    /** Of the thread alone. */
    private int failures;
    /** Of the thread alone. */
    private boolean told;

    private volatile boolean elsewhere;
    private volatile boolean closed;
    private volatile State state = State.NEW;
    private volatile @Nullable ListeningConnection current;

    private enum State {
        NEW,
        CONNECTING,
        LIVE,
        LOST,
        DEAF
    }

    /**
     * How long is too long.
     *
     * @param answerMillis within this an answer has to come, and the word that the listener says to itself
     * @param silenceMillis after so long without news the server is asked whether it is there
     * @param deafMillis after so long listening is tried again where it was of no use, which seldom changes
     */
    record Patience(int answerMillis, int silenceMillis, int deafMillis) {
        static final Patience USUAL = new Patience(5_000, 5_000, 60_000);
    }

    /**
     * @param listenOn where the connection comes from that is kept
     * @param speakOn where those come from that releases are told on: a word said there has to be heard
     */
    PostgresListener(DataSource listenOn, DataSource speakOn, Ears ears, Patience patience) {
        this.listenOn = listenOn;
        this.speakOn = speakOn;
        this.ears = ears;
        this.patience = patience;
    }

    String channel() {
        return channel;
    }

    boolean isLive() {
        return state == State.LIVE;
    }

    /** Whether a word said now may be heard: also while the connection is being made, or replaced. */
    boolean isPromising() {
        return state != State.NEW && state != State.DEAF && !closed;
    }

    /** Whether this has turned out to be another database. */
    boolean isElsewhere() {
        return elsewhere;
    }

    /** Begins, unless it has begun. */
    void start() {
        if (state != State.NEW) {
            return;
        }
        lock.lock();
        try {
            if (thread == null && !closed) {
                state = State.CONNECTING;
                thread = new Thread(this::run, "tenure-jdbc-listen " + channel);
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (!closed && !elsewhere) {
            try {
                session();
            } catch (ForeignDriverException e) {
                deafen("its connections (" + e.getMessage() + ") do not unwrap to org.postgresql.PGConnection");
                return;
            } catch (SQLException e) {
                failed(e);
            } catch (RuntimeException e) {
                deafen("the data source failed: " + e);
            } catch (LinkageError e) {
                deafen("the PostgreSQL driver (org.postgresql:postgresql) is not to be found, or is not complete: "
                        + e);
                return;
            }
            failures++;
            if (!elsewhere) {
                pause();
            }
        }
    }

    /** Listens for as long as a connection lasts. */
    private void session() throws SQLException {
        Connection taken = listenOn.getConnection();
        if (!isPostgres(taken)) {
            return;
        }
        try (ListeningConnection connection = listening(taken)) {
            current = connection;
            if (hearsItself(connection)) {
                failures = 0;
                told = false;
                state = State.LIVE;
                ears.listening();
                listen(connection);
            }
        } finally {
            current = null;
            if (state == State.LIVE) {
                state = State.LOST;
            }
        }
    }

    /** On another database nobody listens, and nobody has to be told: pushes are not to be had there. */
    private boolean isPostgres(Connection taken) throws SQLException {
        try {
            if ("PostgreSQL".equalsIgnoreCase(taken.getMetaData().getDatabaseProductName())) {
                return true;
            }
        } catch (SQLException | RuntimeException e) {
            taken.close();
            throw e;
        }
        taken.close();
        elsewhere = true;
        state = State.DEAF;
        return false;
    }

    private ListeningConnection listening(Connection taken) throws SQLException {
        try {
            return ListeningConnection.of(taken, channel, patience.answerMillis());
        } catch (LinkageError e) {
            taken.close();
            throw e;
        }
    }

    private void listen(ListeningConnection connection) throws SQLException {
        while (!closed) {
            List<String> arrived = connection.next(patience.silenceMillis());
            if (arrived.isEmpty() && !closed) {
                connection.beat();
            }
            arrived.stream().filter(payload -> !payload.equals(PROBE)).forEach(ears::heard);
        }
    }

    /**
     * Says a word on a connection as those of releases are. Behind a pool that gives every transaction another connection
     * of the server's, LISTEN succeeds and nothing ever arrives.
     */
    private boolean hearsItself(ListeningConnection connection) throws SQLException {
        try {
            say(PROBE);
        } catch (SQLException e) {
            connection.beat(); // when this connection is broken too, it is not about listening
            deafen("the one that is kept for listening works, but there was no second one to try it with (a pool has to"
                    + " have one to spare): " + e.getMessage());
            return false;
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience.answerMillis());
        for (long left = patience.answerMillis(); left > 0 && !closed; left = millisUntil(end)) {
            if (connection.next((int) left).contains(PROBE)) {
                return true;
            }
        }
        if (!closed) {
            deafen(
                    "what is said on one connection is not heard on another, as behind a pool that changes connections with"
                            + " every transaction; "
                            + (listenOn == speakOn
                                    ? "give the store one that does not (listenOn)"
                                    : "or listenOn is for another database than that of the leases: give it one for the same"
                                            + " database, that does not change them"));
        }
        return false;
    }

    private static long millisUntil(long end) {
        return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }

    private void say(String word) throws SQLException {
        try (Connection connection = speakOn.getConnection()) {
            int networkTimeout = connection.getNetworkTimeout();
            boolean autoCommit = connection.getAutoCommit();
            try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
                connection.setNetworkTimeout(Runnable::run, patience.answerMillis());
                connection.setAutoCommit(true);
                statement.setString(1, channel);
                statement.setString(2, word);
                statement.execute();
            } finally {
                // Also after a failure: not every pool puts back what was changed.
                connection.setAutoCommit(autoCommit);
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        }
    }

    private void failed(SQLException e) {
        String kind = e.getSQLState();
        if (kind == null || kind.length() < 2 || PASSING.contains(kind.substring(0, 2))) {
            state = State.LOST;
        } else {
            deafen("the server refuses: " + e.getMessage());
        }
    }

    private void deafen(String reason) {
        state = State.DEAF;
        if (!told && !closed) {
            told = true;
            ears.deaf(reason);
        }
    }

    private void pause() {
        long most = state == State.DEAF
                ? patience.deafMillis()
                : Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 16));
        long left =
                TimeUnit.MILLISECONDS.toNanos(most - ThreadLocalRandom.current().nextLong(1 + most / 10));
        lock.lock();
        try {
            while (!closed && left > 0) {
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            closed = true; // nobody has this thread but us, so it is over
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and gives the connection back, within a short, bounded time. */
    @Override
    public void close() {
        Thread ending;
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
            ending = thread;
        } finally {
            lock.unlock();
        }
        if (ending == null || ending == Thread.currentThread()) {
            return;
        }
        Thread waking = new Thread(this::wakeUp, "tenure-jdbc-unlisten"); // its pool may let it wait for long
        waking.setDaemon(true);
        waking.start();
        try {
            ending.join(CLOSE_WAIT_MILLIS);
            ListeningConnection open = current;
            if (ending.isAlive() && open != null) {
                open.abort();
            }
            ending.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            // What cannot be aborted was over already, or ends with its next answer.
            closed = true;
        }
    }

    /** Ends the waiting of the thread: a read cannot be interrupted, and a pool is to get its connection back whole. */
    private void wakeUp() {
        try {
            say(PROBE);
        } catch (SQLException | RuntimeException e) {
            // The server cannot be reached: the connection is aborted instead.
            closed = true;
        }
    }
}
