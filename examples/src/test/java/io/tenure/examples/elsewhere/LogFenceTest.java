package io.tenure.examples.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tenure.InProcessFence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Term;
import io.tenure.examples.elsewhere.TransactionalLog.Entry;
import io.tenure.examples.elsewhere.TransactionalLog.Producer;
import io.tenure.examples.elsewhere.TransactionalLog.ProducerFencedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFenceTest {
    private final FakeBroker broker = new FakeBroker();
    private final LogFence old = new LogFence(broker, "importer");
    private final LogFence fresh = new LogFence(broker, "importer");

    @Test
    void law26_a_stale_leader_is_refused_before_its_successor_has_written() {
        try (Succession succession = new Succession()) {
            Term stale = succession.elect(old);
            old.send(stale.token(), order("first", stale.token()));
            Term current = succession.succeed(fresh);
            assertThat(stale.isHeld()).as("it believes in its term").isTrue();

            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> old.send(stale.token(), order("late", stale.token())))
                    .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(current.token()));

            assertThat(values()).containsExactly("first");
            fresh.send(current.token(), order("second", current.token()));
            assertThat(values()).containsExactly("first", "second");
        }
    }

    @Test
    void law26_a_claim_that_comes_before_the_commit_refuses_the_transaction() {
        old.claim(41);
        broker.beforeTheNextCommit(() -> fresh.claim(42));

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.send(41, order("late", 41)));

        assertThat(values()).isEmpty();
    }

    @Test
    void law26_an_old_leader_that_starts_late_is_refused_and_costs_the_new_one_a_repetition_only() {
        fresh.claim(42);
        fresh.send(42, order("a", 42));

        assertThatExceptionOfType(StaleTokenException.class)
                .as("it has become the producer, and gone")
                .isThrownBy(() -> old.claim(41));
        fresh.send(42, order("b", 42));

        assertThat(values()).containsExactly("a", "b");
    }

    @Test
    void law26_an_old_leader_that_claims_while_the_new_one_does_is_overtaken() {
        broker.beforeTheNextCommit(() -> old.claim(41)); // between the new one's look and its mark

        fresh.claim(42);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.send(41, order("late", 41)));
        fresh.send(42, order("x", 42));
        assertThat(values()).containsExactly("x");
    }

    @Test
    void law25_without_a_claim_nothing_is_sent() {
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fresh.send(42, order("x", 42)));
        fresh.claim(42);
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fresh.send(43, order("x", 43)));
        assertThat(values()).isEmpty();
    }

    @Test
    void law25_a_producer_that_finds_no_mark_any_more_sends_nothing() {
        fresh.claim(42);
        broker.beforeTheNextCommit(() -> {
            broker.delete(LogFence.MARKS);
            broker.timeOut("importer");
        });

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fresh.send(42, order("x", 42)))
                .satisfies(refusal -> assertThat(refusal.mark()).isZero());

        assertThat(values()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void law25_what_is_no_token_is_refused_in_every_form(long token) {
        for (Runnable call : List.<Runnable>of(() -> fresh.claim(token), () -> fresh.send(token, order("x", token)))) {
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(call::run);
        }
        assertThat(broker.read(LogFence.MARKS)).isEmpty();
    }

    @Test
    void a_transaction_that_timed_out_is_no_lost_term() {
        fresh.claim(42);
        broker.beforeTheNextCommit(() -> broker.timeOut("importer"));

        fresh.send(42, order("once", 42));

        assertThat(values()).containsExactly("once");
    }

    @Test
    void a_commit_whose_answer_was_lost_and_that_is_fenced_then_is_not_repeated() {
        fresh.claim(42);
        broker.loseTheNextAnswer(
                () -> assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.claim(41)));

        fresh.send(42, order("once", 42));
        fresh.send(42, order("then", 42));

        assertThat(values()).containsExactly("once", "then");
    }

    @Test
    void after_a_commit_without_an_answer_the_next_transaction_is_one_of_its_own() {
        fresh.claim(42);
        broker.answerTheNextCommitNever();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> fresh.send(42, order("perhaps", 42)))
                .matches(StoreException::isTransient);

        fresh.send(42, order("then", 42));

        assertThat(values()).containsExactly("perhaps", "then");
    }

    @Test
    void leak_with_the_epoch_alone_an_old_leader_that_starts_late_fences_the_new_one() {
        // tag::leak-late-start
        Producer newer = broker.producer("importer");
        newer.initTransactions(); // token 42
        Producer older = broker.producer("importer");
        older.initTransactions(); // token 41, was paused before this line

        send(older, "late", 41);

        assertThatExceptionOfType(ProducerFencedException.class).isThrownBy(() -> send(newer, "x", 42));
        // end::leak-late-start
        assertThat(values()).containsExactly("late");
    }

    @Test
    void leak_with_the_token_in_the_transactional_id_nobody_is_fenced() {
        Producer older = broker.producer("importer-41");
        older.initTransactions();
        Producer newer = broker.producer("importer-42");
        newer.initTransactions();

        send(older, "late", 41);

        assertThat(values()).containsExactly("late");
    }

    @Test
    void leak_a_producer_without_transactions_is_asked_for_nothing() {
        old.claim(41);
        fresh.claim(42);

        broker.append(order("late", 41).get(0));

        assertThat(values()).containsExactly("late");
    }

    @Test
    void law25_a_reader_that_admits_the_token_of_each_record_skips_what_the_broker_let_in() {
        broker.append(order("first", 41).get(0));
        broker.append(order("claim", 42).get(0)); // one to each partition: from here on it is refused by every reader
        broker.append(order("late", 41).get(0));
        broker.append(order("second", 42).get(0));

        List<String> accepted = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        // tag::reader
        InProcessFence fence = new InProcessFence("importer"); // one a partition; its mark is kept with the offset
        for (Entry entry : broker.read("orders")) {
            try {
                fence.run(entry.token(), () -> accepted.add(entry.value()));
            } catch (StaleTokenException e) {
                skipped.add(entry.value()); // after a newer leader's record, by one that had lost its term
            }
        }
        // end::reader

        assertThat(accepted).containsExactly("first", "claim", "second");
        assertThat(skipped).containsExactly("late");
    }

    private static List<Entry> order(String value, long token) {
        return List.of(new Entry("orders", "4711", value, token));
    }

    private static void send(Producer producer, String value, long token) {
        producer.beginTransaction();
        order(value, token).forEach(producer::send);
        producer.commitTransaction();
    }

    private List<String> values() {
        return broker.read("orders").stream().map(Entry::value).toList();
    }
}
