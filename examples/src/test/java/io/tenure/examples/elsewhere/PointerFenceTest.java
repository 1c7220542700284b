package io.tenure.examples.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Term;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointerFenceTest {
    private final FakeObjectStore store = new FakeObjectStore();
    private final PointerFence old = new PointerFence(store, "importer");
    private final PointerFence fresh = new PointerFence(store, "importer");

    @Test
    void law26_a_stale_leader_is_refused_before_its_successor_has_written() {
        try (Succession succession = new Succession()) {
            Term stale = succession.elect(old);
            old.publish(stale.token(), "of the first");
            Term current = succession.succeed(fresh);
            assertThat(stale.isHeld()).as("it believes in its term").isTrue();

            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> old.publish(stale.token(), "late"))
                    .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(current.token()));

            assertThat(fresh.read()).hasValue("of the first");
            fresh.publish(current.token(), "of the second");
            assertThat(old.read()).hasValue("of the second");
        }
    }

    @Test
    void law26_a_claim_that_comes_between_the_look_and_the_put_refuses_the_put() {
        old.claim(41);
        old.publish(41, "before");
        // The write of the data comes first; its pointer follows.
        store.beforeTheNextPut(() -> store.beforeTheNextPut(() -> fresh.claim(42)));

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> old.publish(41, "late"))
                .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(42));

        assertThat(fresh.read()).hasValue("before");
    }

    @Test
    void law26_a_claim_that_comes_right_after_the_look_refuses_the_put() {
        old.claim(41);
        store.beforeTheNextPut(() -> store.afterTheNextGet(() -> fresh.claim(42)));

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.publish(41, "late"));

        assertThat(fresh.read()).isEmpty();
    }

    @Test
    void law26_claims_go_up_only_and_can_be_repeated() {
        fresh.claim(42);
        fresh.claim(42);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.claim(41));
        assertThat(store.get(fresh.pointerKey()).orElseThrow().body()).isEqualTo("42 -");
    }

    @Test
    void law26_of_two_first_claims_at_once_the_higher_one_stands() {
        store.beforeTheNextPut(() -> fresh.claim(42));

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.claim(41));

        fresh.publish(42, "x");
    }

    @Test
    void law25_without_a_claim_nothing_is_published() {
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fresh.publish(42, "x"))
                .satisfies(refusal -> assertThat(refusal.mark()).isZero());
        assertThat(fresh.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void law25_what_is_no_token_is_refused_in_every_form(long token) {
        fresh.claim(42);

        for (Runnable call : List.<Runnable>of(() -> fresh.claim(token), () -> fresh.publish(token, "x"))) {
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(call::run);
        }
        assertThat(fresh.read()).isEmpty();
    }

    @Test
    void a_412_after_a_put_of_ours_whose_answer_was_lost_is_a_success() {
        store.loseTheNextAnswer();
        fresh.claim(42);
        store.beforeTheNextPut(() -> store.beforeTheNextPut(store::loseTheNextAnswer));

        fresh.publish(42, "once");

        assertThat(fresh.read()).hasValue("once");
        assertThat(store.replacements()).isEqualTo(1);
    }

    @Test
    void a_put_without_an_answer_may_have_been_carried_out() {
        fresh.claim(42);
        store.beforeTheNextPut(() -> store.beforeTheNextPut(store::answerTheNextPutNever));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> fresh.publish(42, "once"))
                .matches(StoreException::isTransient);

        assertThat(fresh.read()).hasValue("once");
    }

    @Test
    void what_a_refused_leader_leaves_behind_is_read_by_nobody() {
        fresh.claim(42);
        fresh.publish(42, "current");

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> old.publish(41, "garbage"));

        assertThat(store.keys()).hasSize(3).anyMatch(key -> key.startsWith("importer/41/"));
        assertThat(fresh.read()).hasValue("current");
    }

    @Test
    void leak_a_condition_on_each_object_admits_the_stale_leader_where_its_successor_has_not_written() {
        // tag::leak-per-object
        store.put("report", "of the first");
        String seen = store.get("report").orElseThrow().etag();
        fresh.claim(42); // the successor has claimed, and not come to this object yet

        assertThat(store.putIfMatch("report", seen, "late")).isTrue();
        // end::leak-per-object
    }

    @Test
    void leak_a_look_at_the_token_before_a_plain_put_comes_too_early() {
        old.claim(41);
        boolean current = store.get(old.pointerKey()).orElseThrow().body().startsWith("41 ");
        fresh.claim(42);

        assertThat(current).isTrue();
        store.put("report", "late");

        assertThat(store.get("report").orElseThrow().body()).isEqualTo("late");
    }

    @Test
    void leak_the_tag_of_a_content_that_came_back_matches_again() {
        store.put("switch", "off");
        String seen = store.get("switch").orElseThrow().etag();
        store.put("switch", "on"); // by the successor
        store.put("switch", "off"); // by the successor

        assertThat(store.putIfMatch("switch", seen, "late")).isTrue();
    }
}
