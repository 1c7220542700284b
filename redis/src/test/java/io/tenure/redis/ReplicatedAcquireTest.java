package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.ElectorOptions;
import io.tenure.LockOptions;
import io.tenure.NotAcknowledgedException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Who releases a grant that replicas did not acknowledge, and what becomes of an attempt that is sent again meanwhile. */
class ReplicatedAcquireTest {
    private final Scripted port = new Scripted();
    private final RedisLeaseStore store = RedisLeaseStore.over(
            port,
            RedisStoreOptions.builder().minReplicas(2, Duration.ofMillis(100)).build());
    private final LeaseRequest request = lock(claim("job", "a"));

    @Test
    void law17_a_grant_that_too_few_replicas_have_is_released_before_its_failure_is_told() {
        CompletionStage<Acquisition> attempt = store.acquire(request);
        port.acknowledge(7, 1);
        assertThat(port.releases).hasSize(1);
        assertThat(port.releasedValue(0)).endsWith("-1-7");
        assertThat(attempt.toCompletableFuture()).isNotDone();

        port.releases.get(0).complete(RedisReply.of(1L));

        assertThatThrownBy(() -> get(attempt)).isInstanceOfSatisfying(NotAcknowledgedException.class, e -> {
            assertThat(e.isTransient()).isTrue();
            assertThat(e.wanted()).isEqualTo(2);
            assertThat(e.acknowledged()).isEqualTo(1);
            assertThat(e).hasMessageContaining("'job'").hasMessageContaining("1 of the 2");
        });
    }

    @Test
    void law03_an_attempt_that_was_given_up_is_not_released_behind_the_back_of_the_same_one_sent_again() {
        store.acquire(request).toCompletableFuture().cancel(false);
        assertThat(port.cancelled)
                .as("taken back from the client, which had sent it")
                .isEqualTo(1);
        CompletionStage<Acquisition> again = store.acquire(request);

        port.attempts.get(0).complete(outcome(7, 0));

        assertThat(port.releases).isEmpty();
        port.acknowledge(7, 2);
        assertThat(get(again)).isEqualTo(new Acquisition.Granted(7, OptionalLong.empty()));
        get(firstOf(store.acquire(request), 7));
    }

    @Test
    void law03_an_attempt_is_not_sent_again_while_its_release_is_under_way() {
        CompletionStage<Acquisition> givenUp = store.acquire(request);
        port.acknowledge(7, 0);
        givenUp.toCompletableFuture().cancel(false);
        assertThat(port.releases.get(0)).isNotDone();

        assertThatThrownBy(() -> get(store.acquire(request)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContaining("not known yet");
        assertThat(port.attempts).hasSize(1);
        get(firstOf(store.acquire(lock(claim("job", "b"))), 8));

        port.releases.get(0).complete(RedisReply.of(1L));

        get(firstOf(store.acquire(request), 9));
    }

    private CompletionStage<Acquisition> firstOf(CompletionStage<Acquisition> sent, long token) {
        port.acknowledge(token, 2);
        return sent;
    }

    @Test
    void law03_an_attempt_whose_release_was_never_answered_is_not_sent_again_before_its_ttl_is_over() {
        LeaseRequest brief = ttl(request, Duration.ofMillis(400));
        CompletionStage<Acquisition> attempt = store.acquire(brief);
        port.acknowledge(7, 0);
        port.releases.get(0).completeExceptionally(StoreException.passing("no answer"));
        assertThatThrownBy(() -> get(attempt))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(NotAcknowledgedException.class)
                .hasMessageContaining("400 ms");

        assertThatThrownBy(() -> get(store.acquire(brief))).hasMessageContaining("not known yet");

        await().until(() -> {
            store.acquire(brief);
            return port.attempts.size() == 2;
        });
    }

    @Test
    void law27_a_wait_that_is_refused_for_good_leaves_no_lease() {
        CompletionStage<Acquisition> attempt = store.acquire(request);
        port.attempts
                .get(0)
                .completeExceptionally(RedisErrors.ofReply("NOPERM this user has no permissions to run 'wait'"));
        assertThat(port.releasedValue(0)).endsWith("-1-");

        port.releases.get(0).complete(RedisReply.of(1L));

        assertThatThrownBy(() -> get(attempt))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("'wait'");
    }

    @Test
    void a_port_that_cannot_wait_for_replicas_says_so() {
        RedisPort plain = BentPort.without("runAcknowledged", port);
        RedisLeaseStore other = RedisLeaseStore.over(
                plain,
                RedisStoreOptions.builder()
                        .minReplicas(1, Duration.ofMillis(100))
                        .build());

        CompletionStage<Acquisition> attempt = other.acquire(request);
        port.releases.get(0).complete(RedisReply.of(0L));

        assertThatThrownBy(() -> get(attempt))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("minReplicas");
    }

    @Test
    void a_wait_of_a_third_of_the_ttl_is_refused_naming_both() {
        assertThatThrownBy(() -> get(store.acquire(ttl(request, Duration.ofMillis(300)))))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("100 ms")
                .hasMessageContaining("300 ms");
        assertThat(port.attempts).isEmpty();

        get(firstOf(store.acquire(ttl(request, Duration.ofMillis(301))), 7));
    }

    @Test
    void a_role_and_a_lock_of_a_ttl_that_leaves_no_time_for_the_wait_are_refused_when_they_are_made() {
        try (Tenure tenure = Tenure.over(store).open()) {
            LockOptions brief = LockOptions.ofTtl(Duration.ofMillis(300)).build();
            assertThatThrownBy(() -> tenure.lock("job", brief))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT0.3S")
                    .hasMessageContaining("PT0.301S")
                    .hasMessageContaining("replicas");
            assertThatThrownBy(() -> tenure.elector(
                            "job", ElectorOptions.ofTtl(Duration.ofMillis(300)).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT0.301S");

            assertThat(tenure.lock(
                            "job", LockOptions.ofTtl(Duration.ofMillis(301)).build()))
                    .isNotNull();
        }
        assertThat(port.attempts).isEmpty();
    }

    private static Acknowledgement.Outcome outcome(long token, int replicas) {
        return new Acknowledgement.Outcome(RedisReply.of(List.of(1L, token)), replicas);
    }

    /** Answers when the test says so. */
    private static final class Scripted implements RedisPort {
        final List<CompletableFuture<Acknowledgement.Outcome>> attempts = new ArrayList<>();
        final List<CompletableFuture<RedisReply>> releases = new ArrayList<>();
        private final List<byte[]> values = new ArrayList<>();
        int cancelled;

        void acknowledge(long token, int replicas) {
            attempts.get(attempts.size() - 1).complete(outcome(token, replicas));
        }

        String releasedValue(int index) {
            return new String(values.get(index));
        }

        @Override
        public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
            assertThat(script.name()).isEqualTo("release");
            CompletableFuture<RedisReply> release = new CompletableFuture<>();
            releases.add(release);
            values.add(args[0]);
            return release;
        }

        @Override
        public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
                Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
            // Cancelling may come too late.
            CompletableFuture<Acknowledgement.Outcome> attempt = new CompletableFuture<>() {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    cancelled++;
                    return false;
                }
            };
            attempts.add(attempt);
            return attempt;
        }

        @Override
        public CompletionStage<List<byte[]>> keys(byte[] pattern) {
            return CompletableFuture.completedStage(List.of());
        }

        @Override
        public void subscribe(String channel, Subscriber subscriber) {}

        @Override
        public boolean isCluster() {
            return false;
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return "scripted";
        }
    }
}
