package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.util.Optional;

/**
 * What {@link LogFence} needs of a log with transactional producers; the calls are those of Kafka's clients. A call that
 * is not answered throws a transient {@link StoreException}.
 */
interface TransactionalLog {
    /** A new producer with this {@code transactional.id}. */
    Producer producer(String transactionalId);

    /**
     * The last committed record under a key of a topic with one partition, compacted: a consumer with
     * {@code isolation.level=read_committed} that reads from the start to {@code endOffsets}.
     */
    Optional<Entry> last(String topic, String key);

    /** As Kafka's; not thread-safe here. */
    interface Producer extends AutoCloseable {
        /** Ends what earlier producers of the same id left open, and fences them: their epoch is older from now on. */
        void initTransactions();

        void beginTransaction();

        void send(Entry entry);

        /**
         * Shows all that was sent to readers, or nothing.
         *
         * @throws ProducerFencedException when another producer of the id called {@link #initTransactions} since
         */
        void commitTransaction();

        @Override
        void close();
    }

    /** A record; the token is a header of it. */
    record Entry(String topic, String key, String value, long token) {}

    /** This producer's epoch is over: close it. Says nothing of tokens, only of who called {@code initTransactions} last. */
    final class ProducerFencedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ProducerFencedException(String transactionalId) {
            super("There is a newer producer with the transactional id '" + transactionalId + "'");
        }
    }
}
