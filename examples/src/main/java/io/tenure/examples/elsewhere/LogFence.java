package io.tenure.examples.elsewhere;

import io.tenure.Fence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tokens;
import io.tenure.examples.elsewhere.TransactionalLog.Entry;
import io.tenure.examples.elsewhere.TransactionalLog.Producer;
import io.tenure.examples.elsewhere.TransactionalLog.ProducerFencedException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records in a log, written by one leader after the other. All use one transactional id, so that there is one producer at a
 * time; but the last to call {@code initTransactions} is that one, and it can be an old leader. So the token is kept in
 * the log, too: whoever has become the producer reads the mark and, if it is higher, goes. Nobody can raise it between that
 * look and a commit, since raising it takes being the producer, and that ends this one.
 *
 * <p>A mark is written in every transaction, with a number: whether one was committed whose answer was lost, or that was
 * fenced under way, can be read from it. Thread-safe; one transaction at a time.
 */
final class LogFence implements Fence, AutoCloseable {
    /** One partition, {@code cleanup.policy=compact}; its keys are the names of fences. */
    static final String MARKS = "fence-marks";

    private static final int MOST_TRIES = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final TransactionalLog log;
    private final String name;
    private @Nullable Producer producer;
    private Mark claimed = Mark.NONE;

    LogFence(TransactionalLog log, String name) {
        this.log = log;
        this.name = name;
    }

    private record Mark(long token, long transactions) {
        static final Mark NONE = new Mark(0, 0);
    }

    @Override
    public void claim(long token) {
        Tokens.requireValid(name, token, 0);
        locked(() -> repeat(() -> {
            Producer own = becomeProducer(token);
            if (claimed.token() < token) {
                commit(own, new Mark(token, 0), List.of()); // fenced when another has become the producer meanwhile
            }
        }));
    }

    // tag::become-producer
    private Producer becomeProducer(long token) {
        close();
        Producer own = log.producer(name);
        producer = own;
        own.initTransactions(); // earlier producers are refused from here on, be their tokens lower or higher
        claimed = mark();
        if (claimed.token() > token) {
            close();
            throw new StaleTokenException(name, token, claimed.token());
        }
        return own;
    }
    // end::become-producer

    /**
     * Writes all of {@code entries} in one transaction, or none.
     *
     * @throws StaleTokenException when there is a newer leader, or the token was not claimed here
     * @throws StoreException when no answer came; they may have been written
     */
    void send(long token, List<Entry> entries) {
        Tokens.requireValid(name, token, 0);
        locked(() -> {
            requireClaimed(token);
            if (producer == null) {
                repeat(() -> becomeProducer(token)); // the last one was not answered: only now it is known how it ended
            }
            Mark next = new Mark(token, claimed.transactions() + 1);
            repeat(() -> write(next, entries));
        });
    }

    private void write(Mark next, List<Entry> entries) {
        Producer own = producer == null ? becomeProducer(next.token()) : producer;
        requireClaimed(next.token());
        if (!claimed.equals(next)) {
            commit(own, next, entries);
        }
    }

    private void requireClaimed(long token) {
        if (claimed.token() != token) {
            throw new StaleTokenException(name, token, claimed.token());
        }
    }

    private void commit(Producer own, Mark next, List<Entry> entries) {
        own.beginTransaction();
        entries.forEach(own::send);
        own.send(new Entry(MARKS, name, Long.toString(next.transactions()), next.token()));
        own.commitTransaction();
        claimed = next;
    }

    private Mark mark() {
        return log.last(MARKS, name)
                .map(entry -> new Mark(entry.token(), Long.parseLong(entry.value())))
                .orElse(Mark.NONE);
    }

    /** Whoever was fenced by an older leader that came late becomes the producer again; by a newer one, that is told then. */
    private void repeat(Runnable step) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                step.run();
                return;
            } catch (ProducerFencedException e) {
                close();
            } catch (StoreException e) {
                close();
                throw e;
            }
        }
        throw StoreException.passing("Others became the producer of '" + name + "' " + MOST_TRIES + " times in a row");
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        locked(() -> {
            Producer last = producer;
            producer = null;
            if (last != null) {
                last.close();
            }
        });
    }
}
