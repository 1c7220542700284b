package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StoreException;
import io.tenure.spi.Claim;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final Claim CLAIM = new Claim("name", "alice", "incarnation", 1, 0);

    private final Attempts attempts = new Attempts();

    @Test
    void law17_a_running_attempt_is_waited_for() throws Exception {
        Attempts.Attempt attempt = attempts.begin(CLAIM);

        CompletableFuture<Void> over =
                attempt.run(() -> attempts.over(CLAIM).toCompletableFuture()); // as another thread would, meanwhile

        assertThat(over).isCompleted();
        assertThat(attempts.begin(CLAIM)
                        .run(() -> attempts.over(CLAIM).toCompletableFuture().isDone()))
                .isFalse();
    }

    @Test
    void law17_an_attempt_that_waits_for_a_thread_is_taken_back_and_never_sent() {
        Attempts.Attempt attempt = attempts.begin(CLAIM);

        assertThat(attempts.over(CLAIM).toCompletableFuture()).isCompleted();

        assertThatThrownBy(() -> attempt.run(() -> "sent"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("given up before it was sent");
    }

    @Test
    void other_attempts_are_not_waited_for() throws Exception {
        Claim other = new Claim("name", "alice", "incarnation", 2, 0);

        assertThat(attempts.begin(other)
                        .run(() -> attempts.over(CLAIM).toCompletableFuture().isDone()))
                .isTrue();
    }

    @Test
    void an_attempt_whose_stage_is_complete_is_remembered_no_more() {
        attempts.begin(CLAIM).settledBy(CompletableFuture.completedFuture(1));

        assertThat(attempts.over(CLAIM).toCompletableFuture()).isCompleted();
    }

    @Test
    void law17_an_attempt_that_goes_to_another_thread_is_waited_for_there() throws Exception {
        Attempts.Attempt attempt = attempts.begin(CLAIM);
        AtomicReference<CompletableFuture<Void>> over = new AtomicReference<>();

        assertThatThrownBy(() -> attempt.run(() -> {
                    over.set(attempts.over(CLAIM).toCompletableFuture());
                    throw new RejectedExecutionException("not on this thread");
                }))
                .isInstanceOf(RejectedExecutionException.class);

        assertThat(over.get()).isNotDone();
        assertThat(attempt.run(() -> over.get().isDone())).isFalse();
        assertThat(over.get()).isCompleted();
    }

    @Test
    void law17_an_attempt_that_was_given_up_on_its_way_to_another_thread_is_over() {
        Attempts.Attempt attempt = attempts.begin(CLAIM);
        CompletableFuture<String> answer = new CompletableFuture<>();
        attempt.settledBy(answer);

        assertThatThrownBy(() -> attempt.run(() -> {
                    answer.cancel(true);
                    throw new RejectedExecutionException("not on this thread");
                }))
                .isInstanceOf(RejectedExecutionException.class);

        assertThat(attempts.over(CLAIM).toCompletableFuture()).isCompleted();
        assertThatThrownBy(() -> attempt.run(() -> "sent")).isInstanceOf(StoreException.class);
    }
}
