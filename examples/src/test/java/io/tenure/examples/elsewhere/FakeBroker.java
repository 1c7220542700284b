package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A log as Kafka behaves: a transactional id has an epoch, {@code initTransactions} raises it and aborts what was open, and
 * a producer of an older epoch is refused. What readers see is what is committed. For one thread at a time.
 */
final class FakeBroker implements TransactionalLog {
    private final List<Entry> committed = new ArrayList<>();
    private final Map<String, Integer> epochs = new HashMap<>();
    private Runnable beforeCommit = () -> {};
    private Runnable afterCommit = () -> {};

    /** Runs {@code meanwhile} when the next commit is on its way. */
    void beforeTheNextCommit(Runnable meanwhile) {
        beforeCommit = meanwhile;
    }

    /** The answer to the next commit is lost; the client sends it again after {@code meanwhile}. */
    void loseTheNextAnswer(Runnable meanwhile) {
        afterCommit = meanwhile;
    }

    /** The next commit is carried out, and all its answers are lost. */
    void answerTheNextCommitNever() {
        afterCommit = () -> {
            throw StoreException.passing("timed out");
        };
    }

    /** {@code transaction.timeout.ms} passed: the coordinator aborts, and raises the epoch. */
    void timeOut(String transactionalId) {
        epochs.merge(transactionalId, 1, Integer::sum);
    }

    /** A producer without a transactional id: nobody is asked. */
    void append(Entry entry) {
        committed.add(entry);
    }

    /** The topic was deleted. */
    void delete(String topic) {
        committed.removeIf(entry -> entry.topic().equals(topic));
    }

    List<Entry> read(String topic) {
        return committed.stream().filter(entry -> entry.topic().equals(topic)).toList();
    }

    @Override
    public Optional<Entry> last(String topic, String key) {
        return read(topic).stream().filter(entry -> entry.key().equals(key)).reduce((first, second) -> second);
    }

    @Override
    public Producer producer(String transactionalId) {
        return new FakeProducer(transactionalId);
    }

    private final class FakeProducer implements Producer {
        private final String id;
        private final List<Entry> open = new ArrayList<>();
        private int epoch = -1;
        private boolean isEnding;

        FakeProducer(String id) {
            this.id = id;
        }

        @Override
        public void initTransactions() {
            epoch = epochs.merge(id, 1, Integer::sum);
        }

        @Override
        public void beginTransaction() {
            if (isEnding) {
                throw new IllegalStateException("A commit of this producer has not been answered");
            }
            open.clear(); // a step of the client alone
        }

        @Override
        public void send(Entry entry) {
            requireNewest();
            open.add(entry);
        }

        @Override
        public void commitTransaction() {
            Runnable before = beforeCommit;
            beforeCommit = () -> {};
            before.run();
            requireNewest();
            committed.addAll(open);
            isEnding = true;
            Runnable after = afterCommit;
            afterCommit = () -> {};
            after.run();
            requireNewest(); // sent again
            isEnding = false;
        }

        private void requireNewest() {
            if (epochs.getOrDefault(id, 0) != epoch) {
                throw new ProducerFencedException(id);
            }
        }

        @Override
        public void close() {
            open.clear();
        }
    }
}
