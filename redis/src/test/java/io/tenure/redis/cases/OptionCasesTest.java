package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tenure.ElectorOptions;
import io.tenure.LeaseRecord;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TokenSource;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.spi.Acquisition;
import io.tenure.spi.BlockingLeaseStore;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Election 12: options that do not go together. */
class OptionCasesTest {
    private static final Duration TTL = Duration.ofMillis(500);
    private static final Duration MONTH = Duration.ofDays(31);
    private static final Duration YEAR = Duration.ofDays(366);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TOO_FINE = Duration.ofNanos(999_999);

    /** What somebody would do with a wrong combination, and the two values that its refusal has to name. */
    static Stream<Arguments> wrong() {
        return Stream.of(
                election(ms(99), with -> with, "99 ms", "100 ms"),
                election(MONTH, with -> with, "31 days", "30 days"),
                election(TTL, with -> with.renewEvery(ms(251)), "251 ms", "500 ms"),
                election(TTL, with -> with.renewEvery(ms(0)), "0 ms", "1 ms"),
                election(TTL, with -> with.retryEvery(ms(500)), "500 ms", "ttl 500 ms"),
                election(TTL, with -> with.retryEvery(ms(700)), "700 ms", "500 ms"),
                election(TTL, with -> with.drainTimeout(ms(-1)), "-1 ms", "1 ms"),
                election(TTL, with -> with.drainTimeout(YEAR), "366 days", "365 days"),
                lock(Duration.ZERO, with -> with, "0 ms", "1 ms"),
                lock(MONTH, with -> with, "31 days", "30 days"),
                lock(ms(29), LockOptions.Builder::renewed, "29 ms", "30 ms"),
                lock(TTL, with -> with.holdAtLeast(ms(71)).maxHold(ms(70)), "71 ms", "70 ms"),
                lock(TTL, with -> with.holdAtLeast(MONTH), "31 days", "500 ms"),
                lock(TTL, with -> with.maxHold(ms(0)), "0 ms", "1 ms"),
                lock(TTL, with -> with.maxHold(YEAR), "366 days", "365 days"),
                lock(TTL, with -> with.retryEvery(ms(-3)), "-3 ms", "1 ms"),
                wrong(tenure -> tenure.lock("name", shortLived()).run(held -> {}), "29 ms", "30 ms"),
                wrong(tenure -> tenure.lock("name", shortLived()).callIfFree(held -> 1), "29 ms", "30 ms"),
                // There is no second value but zero, which the word stands for.
                wrong(tenure -> tenure.lock("name").tryAcquireAsync(ms(-1)), "negative", ms(-1)),
                memory(with -> with.tokens(TokenSource.COUNTER).retention(HOUR), "COUNTER", HOUR),
                memory(with -> with.retention(TOO_FINE), TOO_FINE, "1 ms"),
                memory(with -> with.retention(YEAR), YEAR, "365 days"),
                redis(with -> with.tokens(TokenSource.COUNTER).retention(HOUR), "COUNTER", HOUR),
                redis(with -> with.retention(TOO_FINE), TOO_FINE, "1 ms"),
                redis(with -> with.retention(Duration.ofDays(3651)), Duration.ofDays(3651), "3650 days"),
                store(() -> new Blocking(0, 7), "maxThreads is 0", "maxQueued is 7"),
                store(() -> new Blocking(7, -1), "maxThreads is 7", "maxQueued is -1"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void case12_a_wrong_combination_is_refused_with_both_values_and_no_thread_is_started(
            Consumer<Tenure> using, List<String> values) {
        try (Tenure tenure = Tenure.inMemory()) {
            Set<Thread> before = threads();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> using.accept(tenure))
                    .satisfies(e -> assertThat(e.getMessage()).contains(values));

            assertThat(threads()).as("threads").isSubsetOf(before);
        }
    }

    @Test
    void case12_what_just_goes_together_is_taken_and_only_then_threads_are_started() {
        try (Tenure tenure = Tenure.inMemory()) {
            Set<Thread> before = threads();
            stand(
                    tenure,
                    ElectorOptions.ofTtl(ms(100))
                            .renewEvery(ms(50))
                            .retryEvery(ms(99))
                            .drainTimeout(Duration.ofDays(365)));
            assertThat(threads()).as("threads").anyMatch(thread -> !before.contains(thread));
            LockOptions options = LockOptions.ofTtl(ms(30))
                    .renewed()
                    .holdAtLeast(ms(70))
                    .maxHold(ms(70))
                    .build();
            assertThat(tenure.lock("lock", options).callIfFree(held -> "called"))
                    .contains("called");
        }
    }

    private static void stand(Tenure tenure, ElectorOptions.Builder options) {
        tenure.elector("name", options.build()).campaign(term -> new CountDownLatch(1).await());
    }

    private static LockOptions shortLived() {
        return LockOptions.ofTtl(ms(29)).build();
    }

    /** Ours, and the client's: what else runs in this process comes and goes as it likes. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("(tenure|lettuce|blocking).*"))
                .collect(Collectors.toSet());
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Arguments election(
            Duration ttl, UnaryOperator<ElectorOptions.Builder> with, Object value, Object other) {
        return wrong(tenure -> stand(tenure, with.apply(ElectorOptions.ofTtl(ttl))), value, other);
    }

    private static Arguments lock(Duration ttl, UnaryOperator<LockOptions.Builder> with, Object value, Object other) {
        return wrong(
                tenure -> tenure.lock("name", with.apply(LockOptions.ofTtl(ttl)).build())
                        .tryAcquire(),
                value,
                other);
    }

    private static Arguments memory(UnaryOperator<MemoryLeaseStore.Builder> with, Object value, Object other) {
        return store(() -> with.apply(MemoryLeaseStore.builder()).open(), value, other);
    }

    /** Nobody listens there: whoever gets so far as to connect fails otherwise. */
    private static Arguments redis(UnaryOperator<RedisStoreOptions.Builder> with, Object value, Object other) {
        return store(
                () -> RedisLeaseStore.connect(
                        "redis://127.0.0.1:1",
                        with.apply(RedisStoreOptions.builder()).build()),
                value,
                other);
    }

    private static Arguments store(Supplier<AutoCloseable> opening, Object value, Object other) {
        return wrong(tenure -> opening.get(), value, other);
    }

    private static Arguments wrong(Consumer<Tenure> using, Object value, Object other) {
        return Arguments.of(using, List.of(value.toString(), other.toString()));
    }

    /** A store of somebody else's, whose calls nobody makes. */
    private static final class Blocking extends BlockingLeaseStore {
        Blocking(int maxThreads, int maxQueued) {
            super(task -> new Thread(task, "blocking"), maxThreads, maxQueued);
        }

        @Override
        protected Acquisition acquireNow(LeaseRequest request) {
            throw new AssertionError(request);
        }

        @Override
        protected Renewal renewNow(RenewRequest request) {
            throw new AssertionError(request);
        }

        @Override
        protected boolean releaseNow(ReleaseRequest request) {
            throw new AssertionError(request);
        }

        @Override
        protected Optional<LeaseRecord> findNow(String name) {
            throw new AssertionError(name);
        }

        @Override
        protected List<LeaseRecord> listNow(String prefix, int limit) {
            throw new AssertionError(prefix);
        }

        @Override
        protected boolean evictNow(LeaseRecord seen) {
            throw new AssertionError(seen);
        }

        @Override
        protected StoreException translate(String name, Exception cause) {
            throw new AssertionError(name, cause);
        }
    }
}
