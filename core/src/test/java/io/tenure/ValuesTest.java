package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exceptions, records and end reasons. */
class ValuesTest {
    private static final LeaseRecord RECORD = LeaseRecord.of("n", "somebody", "i1", 3, 42, Duration.ofMillis(1_234));

    @Test
    void a_lost_lease_carries_its_name_token_and_reason() throws Exception {
        LeaseLostException loss = new LeaseLostException("n", 42, EndReason.TAKEN);

        assertThat(loss).hasMessageContainingAll("'n'", "42", "TAKEN");
        LeaseLostException copy = copyOf(loss);
        assertThat(copy.name()).isEqualTo("n");
        assertThat(copy.token()).isEqualTo(42);
        assertThat(copy.reason()).isEqualTo(EndReason.TAKEN);
        assertThat(copy).hasMessage(loss.getMessage());
    }

    @Test
    void a_lock_that_was_not_acquired_tells_who_has_it() throws Exception {
        LockNotAcquiredException refused = new LockNotAcquiredException(RECORD);

        assertThat(refused).hasMessageContainingAll("'n'", "'somebody'", "42", "1234 ms");
        assertThat(refused.name()).isEqualTo("n");
        assertThat(refused.current()).contains(RECORD);
        LockNotAcquiredException copy = copyOf(refused);
        assertThat(copy.name()).isEqualTo("n");
        assertThat(copy.current()).as("says its javadoc").isEmpty();

        assertThat(new LockNotAcquiredException("n").current()).isEmpty();
        assertThat(new LockNotAcquiredException("n")).hasMessageContaining("'n'");
    }

    @Test
    void a_stale_token_is_told_with_the_mark_that_refused_it() throws Exception {
        StaleTokenException stale = new StaleTokenException("n", 41, 42);

        assertThat(stale).hasMessageContainingAll("'n'", "41", "42");
        StaleTokenException copy = copyOf(stale);
        assertThat(List.of(copy.name(), copy.token(), copy.mark())).containsExactly("n", 41L, 42L);
    }

    @Test
    void a_token_below_the_mark_is_told_that_a_newer_holder_was_elected() {
        assertThat(new StaleTokenException("n", 41, 42))
                .hasMessageContaining("a newer holder was elected")
                .message()
                .doesNotContain("claim");
    }

    @Test
    void a_token_above_the_mark_or_without_one_is_told_that_it_was_never_claimed_and_how_to_claim_it() {
        for (long mark : List.of(0L, 40L)) {
            assertThat(new StaleTokenException("n", 41, mark))
                    .hasMessageContainingAll(
                            mark == 0 ? "no mark" : "stands at 40",
                            "never claimed here",
                            "ElectorOptions.claims(fence)",
                            "fence.claim(token)")
                    .message()
                    .doesNotContain("newer holder");
        }
    }

    @Test
    void a_lock_that_was_not_acquired_names_what_waits_and_what_skips() {
        for (LockNotAcquiredException refusal :
                List.of(new LockNotAcquiredException("n"), new LockNotAcquiredException(RECORD))) {
            assertThat(refusal).hasMessageContainingAll("run(Duration, ...)", "tryAcquire(Duration)", "runIfFree");
        }
    }

    @Test
    void a_store_exception_tells_whether_it_may_pass() throws Exception {
        IOException cause = new IOException("reset");

        assertThat(copyOf(StoreException.passing("down")).isTransient()).isTrue();
        assertThat(copyOf(StoreException.permanent("NOPERM")).isTransient()).isFalse();
        assertThat(StoreException.passing("down", cause)).hasCause(cause).hasMessage("down");
        assertThat(StoreException.permanent("NOPERM", cause)).hasCause(cause).hasMessage("NOPERM");
        assertThat(copyOf(StoreException.permanent("NOPERM", cause)).getCause()).hasMessage("reset");
    }

    @Test
    void all_exceptions_have_one_unchecked_parent() {
        assertThat(List.of(
                        new LeaseLostException("n", 1, EndReason.EXPIRED),
                        new LockNotAcquiredException("n"),
                        new StaleTokenException("n", 1, 2),
                        StoreException.passing("down")))
                .allMatch(TenureException.class::isInstance)
                .allMatch(RuntimeException.class::isInstance);
    }

    private static <T extends Throwable> T copyOf(T thrown) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(thrown);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            @SuppressWarnings("unchecked")
            T copy = (T) in.readObject();
            return copy;
        }
    }

    @Test
    void a_record_is_fresh_until_it_is_told_later() {
        assertThat(RECORD.age()).isZero();
        LeaseRecord later = RECORD.seenBefore(Duration.ofSeconds(2));

        assertThat(later.age()).isEqualTo(Duration.ofSeconds(2));
        assertThat(later.seenBefore(Duration.ZERO)).isEqualTo(RECORD);
        assertThat(later.remaining()).as("as it was seen").isEqualTo(RECORD.remaining());
    }

    @Test
    void a_record_without_an_incarnation_is_not_tenures() {
        assertThat(RECORD.isOurs()).isTrue();
        assertThat(LeaseRecord.of("n", "a Go instance", "", 0, 7, Duration.ZERO).isOurs())
                .isFalse();
    }

    @Test
    void a_record_has_no_nulls() {
        assertThatThrownBy(() -> LeaseRecord.of(
                        "n", "h", java.util.Map.<String, String>of().get("none"), 0, 0, Duration.ZERO))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("incarnation");
    }

    @Test
    void a_loss_is_an_end_that_the_holder_did_not_want() {
        EnumSet<EndReason> losses = EnumSet.noneOf(EndReason.class);
        for (EndReason reason : EndReason.values()) {
            if (reason.isLoss()) {
                losses.add(reason);
            }
        }

        assertThat(losses)
                .containsExactly(EndReason.EXPIRED, EndReason.TAKEN, EndReason.DUPLICATE_HOLDER, EndReason.FORCED);
    }
}
