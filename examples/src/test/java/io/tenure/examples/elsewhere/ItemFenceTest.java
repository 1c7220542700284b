package io.tenure.examples.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Term;
import io.tenure.examples.elsewhere.ItemTable.ConditionCheck;
import io.tenure.examples.elsewhere.ItemTable.Put;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemFenceTest {
    private final FakeTable table = new FakeTable();
    private final ItemFence old = new ItemFence(table, "importer");
    private final ItemFence fresh = new ItemFence(table, "importer");

    @Test
    void law26_a_stale_leader_is_refused_before_its_successor_has_written() {
        try (Succession succession = new Succession()) {
            Term stale = succession.elect(old);
            old.write(stale.token(), order("first"));
            Term current = succession.succeed(fresh);
            assertThat(stale.isHeld()).as("it believes in its term").isTrue();

            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> old.write(stale.token(), order("late")))
                    .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(current.token()));

            assertThat(status()).isEqualTo("first");
            fresh.write(current.token(), order("second"));
            assertThat(status()).isEqualTo("second");
        }
    }

    @Test
    void law26_claims_go_up_only_and_can_be_repeated() {
        fresh.claim(42);
        fresh.claim(42);

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> old.claim(41))
                .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(42));
    }

    @Test
    void law25_without_a_claim_nothing_is_written() {
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fresh.write(42, order("x")))
                .satisfies(refusal -> assertThat(refusal.mark()).isZero());
        fresh.claim(42);
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fresh.write(43, order("x")));
        assertThat(table.get("order#4711")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void law25_what_is_no_token_is_refused_in_every_form(long token) {
        for (Runnable call : List.<Runnable>of(() -> fresh.claim(token), () -> fresh.write(token, order("x")))) {
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(call::run);
        }
        assertThat(table.transactions()).isZero();
    }

    @Test
    void a_conflict_with_another_transaction_is_no_refusal() {
        fresh.claim(42);
        table.conflictWithTheNext(2);

        fresh.write(42, order("x"));

        assertThat(status()).isEqualTo("x");
    }

    @Test
    void a_condition_of_an_item_that_does_not_hold_is_no_refusal_by_the_fence() {
        fresh.claim(42);
        fresh.write(42, order("x"));
        Put first = new Put("order#4711", Map.of("status", "y"), "attribute_not_exists(status)", Map.of());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> fresh.write(42, List.of(first)))
                .withMessageContaining("ConditionalCheckFailed");
        assertThat(status()).isEqualTo("x");
    }

    @Test
    void an_answer_that_was_lost_is_asked_for_again_and_nothing_is_done_twice() {
        fresh.claim(42);
        table.loseTheNextAnswers(1);

        fresh.write(42, order("x"));

        assertThat(table.transactions()).as("a claim and a write").isEqualTo(2);
    }

    @Test
    void two_answers_that_were_lost_leave_open_whether_it_was_done() {
        fresh.claim(42);
        table.loseTheNextAnswers(2);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> fresh.write(42, order("x")))
                .matches(StoreException::isTransient);
    }

    @Test
    void leak_a_token_in_every_item_admits_the_stale_leader_where_its_successor_has_not_written() {
        // tag::leak-per-item
        table.transactWriteItems("a", List.of(perItem("order#1", 41), perItem("order#2", 41)));
        table.transactWriteItems("b", List.of(perItem("order#1", 42))); // the successor, so far

        table.transactWriteItems("c", List.of(perItem("order#2", 41))); // late, and done
        // end::leak-per-item

        assertThat(table.get("order#2")).containsEntry("fence", "41");
    }

    private static Put perItem(String key, long token) {
        Map<String, String> own = Map.of(":token", Long.toString(token));
        return new Put(
                key, Map.of("fence", Long.toString(token)), "attribute_not_exists(fence) OR fence <= :token", own);
    }

    @Test
    void leak_a_check_for_at_most_the_token_admits_two_that_have_not_claimed() {
        fresh.claim(40);

        for (String token : List.of("42", "41")) {
            ConditionCheck check = new ConditionCheck("fence#importer", "fence <= :token", Map.of(":token", token));
            Put put = new Put("order#4711", Map.of("status", token), "", Map.of());
            table.transactWriteItems(token, List.of(check, put));
        }

        assertThat(status()).as("the older one came last, and was let in").isEqualTo("41");
    }

    @Test
    void leak_a_plain_read_of_the_mark_may_be_of_before_the_claim() {
        old.claim(41);
        table.replicate();
        fresh.claim(42);

        assertThat(table.getEventually("fence#importer")).containsEntry("fence", "41");
        assertThat(table.get("fence#importer")).containsEntry("fence", "42");
    }

    @Test
    void leak_a_mark_that_was_deleted_can_be_claimed_by_anybody() {
        fresh.claim(42);
        FakeTable withoutMark = new FakeTable(); // as after a ttl on the fence's item, or a restore of an old backup

        assertThatCode(() -> new ItemFence(withoutMark, "importer").claim(41)).doesNotThrowAnyException();
    }

    private static List<Put> order(String status) {
        return List.of(new Put("order#4711", Map.of("status", status), "", Map.of()));
    }

    private String status() {
        return table.get("order#4711").get("status");
    }
}
