package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tenure.ElectorOptions;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.TokenSource;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Election 12: options that do not go together. */
class OptionCasesTest {
    private static final Duration TTL = Duration.ofMillis(500);

    /** What builds or uses a wrong combination, and the two values that its message has to name. */
    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong(() -> ElectorOptions.ofTtl(ms(99)).build(), "99 ms", "100 ms"),
                wrong(() -> ElectorOptions.ofTtl(Duration.ofDays(31)).build(), "31 days", "30 days"),
                wrong(() -> ElectorOptions.ofTtl(TTL).renewEvery(ms(251)).build(), "251 ms", "500 ms"),
                wrong(() -> ElectorOptions.ofTtl(TTL).renewEvery(ms(0)).build(), "0 ms", "1 ms"),
                wrong(() -> ElectorOptions.ofTtl(TTL).retryEvery(ms(500)).build(), "500 ms", "ttl 500 ms"),
                wrong(() -> ElectorOptions.ofTtl(TTL).retryEvery(ms(700)).build(), "700 ms", "500 ms"),
                wrong(() -> ElectorOptions.ofTtl(TTL).drainTimeout(ms(-1)).build(), "-1 ms", "1 ms"),
                wrong(() -> LockOptions.ofTtl(Duration.ofDays(31)).build(), "31 days", "30 days"),
                wrong(() -> LockOptions.ofTtl(ms(29)).renewed().build(), "29 ms", "30 ms"),
                wrong(() -> run(LockOptions.ofTtl(ms(29))), "29 ms", "30 ms"),
                wrong(
                        () -> LockOptions.ofTtl(TTL)
                                .holdAtLeast(ms(71))
                                .maxHold(ms(70))
                                .build(),
                        "71 ms",
                        "70 ms"),
                wrong(
                        () -> LockOptions.ofTtl(TTL)
                                .holdAtLeast(Duration.ofDays(31))
                                .build(),
                        "31 days",
                        "500 ms"),
                wrong(() -> LockOptions.ofTtl(TTL).retryEvery(ms(-3)).build(), "-3 ms", "1 ms"),
                wrong(
                        () -> RedisStoreOptions.builder()
                                .tokens(TokenSource.COUNTER)
                                .retention(Duration.ofHours(1))
                                .build(),
                        "COUNTER",
                        "PT1H"),
                wrong(
                        () -> RedisStoreOptions.builder()
                                .retention(Duration.ofDays(3651))
                                .build(),
                        Duration.ofDays(3651).toString(),
                        "3650 days"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void case12_a_wrong_combination_is_refused_with_both_values_and_no_thread_is_started(
            Runnable building, List<String> values) {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertThatIllegalArgumentException()
                .isThrownBy(building::run)
                .satisfies(e -> assertThat(e.getMessage()).contains(values));

        assertThat(Thread.getAllStackTraces().keySet()).as("threads").isSubsetOf(before);
    }

    private static void run(LockOptions.Builder options) {
        try (Tenure tenure = Tenure.inMemory()) {
            tenure.lock("refused", options.build()).run(held -> {
                throw new AssertionError("runs");
            });
        }
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Arguments wrong(Runnable building, String... values) {
        return Arguments.of(building, List.of(values));
    }
}
