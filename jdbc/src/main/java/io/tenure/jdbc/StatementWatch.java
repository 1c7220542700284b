package io.tenure.jdbc;

import io.tenure.jdbc.postgres.RunningStatements;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Has the server give up what takes too long, so that nothing goes on waiting for a lock in the name of a caller that has
 * left. The driver can do that too, but wakes a thread of its own twice for each statement, and counts in whole seconds.
 * Here one thread looks at all of them now and then, while there are any. Thread-safe.
 */
final class StatementWatch implements AutoCloseable {
    private static final long IDLE_SECONDS = 30;
    /** For a server that has answered meanwhile. */
    private static final long LAST_WORD_MILLIS = 250;

    private final Set<Watched> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ThreadFactory threads;
    private final ScheduledThreadPoolExecutor looker;
    private final long patience;
    private final long lookEvery;

    /**
     * @param patience how long what is under way may take
     * @param lookEvery how much longer it may take until that is noticed
     */
    StatementWatch(ThreadFactory threads, Duration patience, Duration lookEvery) {
        this.threads = threads;
        this.patience = patience.toNanos();
        this.lookEvery = lookEvery.toNanos();
        this.looker = new ScheduledThreadPoolExecutor(1, threads);
        looker.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        looker.allowCoreThreadTimeOut(true);
    }

    /** Daemons. */
    static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Watches the statements of one call, which begins now. */
    OwnConnection.Limit begin() {
        Watched watched = new Watched(System.nanoTime() + patience);
        underWay.add(watched);
        if (looking.compareAndSet(false, true)) {
            lookLater();
        }
        return watched;
    }

    private void lookLater() {
        try {
            looker.schedule(this::look, lookEvery, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return; // the store is closed: what is still under way is cut with its connection
        }
    }

    private void look() {
        try {
            giveUpWhatIsOverdue();
        } finally { // also when there is no thread to be had
            looking.set(false);
            if (!underWay.isEmpty() && looking.compareAndSet(false, true)) {
                lookLater();
            }
        }
    }

    private void giveUpWhatIsOverdue() {
        long now = System.nanoTime();
        for (Watched watched : underWay) {
            if (now - watched.until >= 0 && watched.tellOnce()) {
                // On a thread of its own: a server that says nothing keeps who asks it waiting.
                threads.newThread(watched::giveUp).start();
            }
        }
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }

    /** What is under way for one call. Equal to itself only. */
    private final class Watched implements OwnConnection.Limit {
        private final long until;
        private final AtomicReference<State> state = new AtomicReference<>(State.WATCHED);
        private final CountDownLatch asked = new CountDownLatch(1);
        private volatile @Nullable PreparedStatement current;

        private Watched(long until) {
            this.until = until;
        }

        /** One that is over already has nothing that could be given up. */
        @Override
        public void applyTo(PreparedStatement statement) {
            current = statement;
        }

        private boolean tellOnce() {
            return current != null && state.compareAndSet(State.WATCHED, State.GIVEN_UP);
        }

        private void giveUp() {
            PreparedStatement statement = current;
            try {
                if (statement != null) {
                    askFor(statement);
                }
            } catch (SQLException e) {
                return; // then the connection is cut when the time of the call is over
            } finally {
                asked.countDown();
            }
        }

        /** When the server is just being asked to give something up, and does not hear that at once, the next may be meant. */
        @Override
        public boolean end() {
            underWay.remove(this);
            return state.compareAndSet(State.WATCHED, State.OVER) || hasBeenAsked();
        }

        private boolean hasBeenAsked() {
            try {
                return asked.await(LAST_WORD_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private static void askFor(PreparedStatement statement) throws SQLException {
        try {
            RunningStatements.giveUp(statement);
        } catch (LinkageError e) {
            statement.cancel(); // by another driver
        }
    }

    private enum State {
        WATCHED,
        GIVEN_UP,
        OVER
    }
}
