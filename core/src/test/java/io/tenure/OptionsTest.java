package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptionsTest {
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static ElectorOptions.Builder election(long ttl) {
        return ElectorOptions.ofTtl(ms(ttl));
    }

    private static LockOptions.Builder lock(long ttl) {
        return LockOptions.ofTtl(ms(ttl));
    }

    // ---- defaults

    @Test
    void an_election_lasts_5_s_and_derives_the_rest_from_its_ttl() {
        ElectorOptions options = ElectorOptions.defaults();

        assertThat(ElectorOptions.DEFAULT_TTL).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.ttl()).isEqualTo(ElectorOptions.DEFAULT_TTL);
        assertThat(options.renewEvery()).as("a little under a third").isEqualTo(ms(1_600));
        assertThat(options.retryEvery()).isEqualTo(ms(2_500));
        assertThat(options.drainTimeout()).isEqualTo(options.ttl());
        assertThat(options.claims()).isEmpty();
        assertThat(options.isSignalOnly()).isFalse();
    }

    @Test
    void a_lock_lasts_30_s_and_is_renewed_in_run_and_call_only() {
        LockOptions options = LockOptions.defaults();

        assertThat(LockOptions.DEFAULT_TTL).isEqualTo(Duration.ofSeconds(30));
        assertThat(LockOptions.DEFAULT_RETRY_EVERY).isEqualTo(ms(100));
        assertThat(options.ttl()).isEqualTo(LockOptions.DEFAULT_TTL);
        assertThat(options.retryEvery()).isEqualTo(LockOptions.DEFAULT_RETRY_EVERY);
        assertThat(options.isRenewed()).isFalse();
        assertThat(options.holdAtLeast()).isZero();
        assertThat(options.maxHold()).isEmpty();
        assertThat(options.isSignalOnly()).isFalse();
    }

    @Test
    void three_default_renewals_fit_into_every_ttl() {
        for (long ttl : new long[] {100, 101, 333, 5_000, 2_592_000_000L}) {
            ElectorOptions options = election(ttl).build();
            assertThat(options.renewEvery().multipliedBy(3)).isLessThan(options.ttl());
            assertThat(options.renewEvery()).isGreaterThan(options.ttl().dividedBy(4));
        }
    }

    @Test
    void derived_durations_count_in_milliseconds_too() {
        for (long ttl : new long[] {101, 333, 999}) {
            ElectorOptions options = election(ttl).build();
            assertThat(List.of(options.renewEvery(), options.retryEvery(), options.drainTimeout()))
                    .allSatisfy(
                            each -> assertThat(each.toNanosPart() % 1_000_000).isZero());
        }
    }

    // ---- what is accepted

    @Test
    void the_public_bounds_are_accepted_and_a_millisecond_beyond_them_is_not() {
        Duration step = ms(1);
        ElectorOptions.Builder longElection = ElectorOptions.ofTtl(ElectorOptions.MAX_TTL);
        assertThat(longElection
                        .drainTimeout(ElectorOptions.MAX_DRAIN_TIMEOUT)
                        .renewEvery(ElectorOptions.MIN_INTERVAL)
                        .retryEvery(ElectorOptions.MIN_INTERVAL)
                        .build()
                        .drainTimeout())
                .isEqualTo(ElectorOptions.MAX_DRAIN_TIMEOUT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longElection
                        .drainTimeout(ElectorOptions.MAX_DRAIN_TIMEOUT.plus(step))
                        .build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longElection
                        .renewEvery(ElectorOptions.MIN_INTERVAL.minus(step))
                        .build());
        LockOptions.Builder longLock = LockOptions.ofTtl(LockOptions.MAX_TTL);
        assertThat(longLock.retryEvery(LockOptions.MAX_INTERVAL)
                        .maxHold(LockOptions.MAX_INTERVAL)
                        .holdAtLeast(LockOptions.MAX_TTL)
                        .build()
                        .maxHold())
                .hasValue(LockOptions.MAX_INTERVAL);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        longLock.maxHold(LockOptions.MAX_INTERVAL.plus(step)).build());
    }

    @Test
    void the_public_shares_are_the_defaults() {
        ElectorOptions options = election(100_000).build();

        assertThat(options.renewEvery()).isEqualTo(ms(1_000L * ElectorOptions.DEFAULT_RENEW_PERCENT));
        assertThat(options.retryEvery()).isEqualTo(ms(1_000L * ElectorOptions.DEFAULT_RETRY_PERCENT));
    }

    @Test
    void fractions_of_a_millisecond_are_truncated() {
        ElectorOptions election = ElectorOptions.ofTtl(Duration.ofNanos(900_999_999))
                .renewEvery(Duration.ofNanos(1_999_999))
                .retryEvery(Duration.ofNanos(2_000_001))
                .drainTimeout(Duration.ofNanos(3_500_000))
                .build();
        assertThat(List.of(election.ttl(), election.renewEvery(), election.retryEvery(), election.drainTimeout()))
                .containsExactly(ms(900), ms(1), ms(2), ms(3));

        LockOptions lock = LockOptions.ofTtl(Duration.ofNanos(40_999_999))
                .retryEvery(Duration.ofNanos(1_999_999))
                .holdAtLeast(Duration.ofNanos(2_999_999))
                .maxHold(Duration.ofNanos(3_999_999))
                .build();
        assertThat(List.of(
                        lock.ttl(),
                        lock.retryEvery(),
                        lock.holdAtLeast(),
                        lock.maxHold().orElseThrow()))
                .containsExactly(ms(40), ms(1), ms(2), ms(3));
    }

    @Test
    void the_bounds_themselves_are_accepted() {
        ElectorOptions shortest = election(100)
                .renewEvery(ms(1))
                .retryEvery(ms(1))
                .drainTimeout(ms(1))
                .build();
        assertThat(shortest.renewEvery()).isEqualTo(ms(1));
        ElectorOptions longest = ElectorOptions.ofTtl(Duration.ofDays(30))
                .renewEvery(Duration.ofDays(15))
                .retryEvery(Duration.ofDays(30).minusMillis(1))
                .drainTimeout(Duration.ofDays(365))
                .build();
        assertThat(longest.renewEvery()).isEqualTo(Duration.ofDays(15));

        assertThat(lock(1).build().ttl()).isEqualTo(ms(1));
        assertThat(lock(30).renewed().build().isRenewed()).isTrue();
        assertThat(LockOptions.ofTtl(Duration.ofDays(30))
                        .holdAtLeast(Duration.ofDays(30))
                        .build()
                        .holdAtLeast())
                .isEqualTo(Duration.ofDays(30));
        assertThat(lock(100).holdAtLeast(ms(70)).maxHold(ms(70)).build().maxHold())
                .contains(ms(70));
    }

    @Test
    void switches_and_fences_are_kept_in_order() {
        Fence first = token -> {};
        Fence second = token -> {};
        ElectorOptions options =
                election(500).claims(first).claims(second).signalOnly().build();

        assertThat(options.claims()).containsExactly(first, second);
        assertThat(options.isSignalOnly()).isTrue();
        assertThat(lock(500).signalOnly().renewed().build().isSignalOnly()).isTrue();
    }

    // ---- what is refused

    static Stream<Arguments> refused() {
        return Stream.of(
                refusal(() -> election(0).build(), "ttl", "0 ms", "100 ms", "30 days"),
                refusal(() -> election(-5).build(), "ttl", "-5 ms", "100 ms"),
                refusal(() -> election(99).build(), "ttl", "99 ms", "100 ms"),
                refusal(
                        () -> ElectorOptions.ofTtl(Duration.ofNanos(99_999_999)).build(),
                        "ttl",
                        "0.099999999",
                        "100 ms"),
                refusal(
                        () -> ElectorOptions.ofTtl(Duration.ofDays(30).plusNanos(1))
                                .build(),
                        "ttl",
                        "30 days"),
                refusal(() -> ElectorOptions.ofTtl(ENDLESS).build(), "ttl", "30 days"),
                refusal(() -> ElectorOptions.ofTtl(ENDLESS.negated()).build(), "ttl", "100 ms"),
                refusal(() -> election(500).renewEvery(Duration.ZERO).build(), "renewEvery", "0 ms", "1 ms"),
                refusal(() -> election(500).renewEvery(ms(-1)).build(), "renewEvery", "-1 ms"),
                refusal(
                        () -> election(500)
                                .renewEvery(Duration.ofNanos(999_999))
                                .build(),
                        "renewEvery",
                        "1 ms"),
                refusal(
                        () -> election(500).renewEvery(ms(251)).build(),
                        "renewEvery",
                        "251 ms",
                        "250 ms",
                        "500 ms",
                        "two renewals"),
                refusal(() -> election(500).renewEvery(ENDLESS).build(), "renewEvery", "365 days"),
                refusal(() -> election(500).retryEvery(Duration.ZERO).build(), "retryEvery", "0 ms"),
                refusal(() -> election(500).retryEvery(ms(500)).build(), "retryEvery", "500 ms", "ttl", "look"),
                refusal(() -> election(500).retryEvery(ms(501)).build(), "retryEvery", "501 ms", "500 ms"),
                refusal(() -> election(500).drainTimeout(Duration.ZERO).build(), "drainTimeout", "0 ms"),
                refusal(() -> election(500).drainTimeout(ms(-1)).build(), "drainTimeout", "-1 ms"),
                refusal(() -> election(500).drainTimeout(ENDLESS).build(), "drainTimeout", "365 days"),
                refusal(() -> lock(0).build(), "ttl", "0 ms", "1 ms", "30 days"),
                refusal(() -> lock(-1).build(), "ttl", "-1 ms"),
                refusal(() -> LockOptions.ofTtl(Duration.ofDays(31)).build(), "ttl", "31 days", "30 days"),
                refusal(() -> LockOptions.ofTtl(ENDLESS).build(), "ttl", "30 days"),
                refusal(() -> lock(500).retryEvery(Duration.ZERO).build(), "retryEvery", "0 ms"),
                refusal(() -> lock(500).retryEvery(ms(-3)).build(), "retryEvery", "-3 ms"),
                refusal(() -> lock(29).renewed().build(), "ttl", "29 ms", "too short to renew", "30 ms"),
                refusal(() -> lock(500).holdAtLeast(Duration.ZERO).build(), "holdAtLeast", "0 ms"),
                refusal(() -> lock(500).holdAtLeast(ms(-1)).build(), "holdAtLeast", "-1 ms"),
                refusal(
                        () -> lock(500).holdAtLeast(Duration.ofDays(31)).build(),
                        "holdAtLeast",
                        "31 days",
                        "30 days",
                        "500 ms"),
                refusal(() -> lock(500).maxHold(Duration.ZERO).build(), "maxHold", "0 ms"),
                refusal(() -> lock(500).maxHold(ms(-1)).build(), "maxHold", "-1 ms"),
                refusal(() -> lock(500).maxHold(ENDLESS).build(), "maxHold", "365 days"),
                refusal(
                        () -> lock(500).holdAtLeast(ms(71)).maxHold(ms(70)).build(),
                        "holdAtLeast",
                        "71 ms",
                        "maxHold",
                        "70 ms",
                        "kept"),
                refusal(() -> lock(29).build().requireRenewable(), "ttl", "29 ms", "too short to renew"));
    }

    private static Arguments refusal(Runnable building, String... parts) {
        return Arguments.of(building, List.of(parts));
    }

    private static Arguments refusal(Supplier<?> building, String... parts) {
        Runnable run = building::get;
        return Arguments.of(run, List.of(parts));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void what_does_not_go_together_is_refused_at_build_naming_the_values_and_the_reason(
            Runnable building, List<String> parts) {
        assertThatIllegalArgumentException()
                .isThrownBy(building::run)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void setters_validate_nothing_so_that_their_order_does_not_matter() {
        ElectorOptions.Builder builder = election(500).retryEvery(ms(-1)).retryEvery(ms(100));

        assertThat(builder.build().retryEvery()).isEqualTo(ms(100));
    }

    @Test
    void options_list_their_values() {
        Fence fence = new Fence() {
            @Override
            public void claim(long token) {}

            @Override
            public String toString() {
                return "fence 'orders'";
            }
        };

        assertThat(ElectorOptions.defaults())
                .hasToString("ElectorOptions[ttl=5000 ms, renewEvery=1600 ms, retryEvery=2500 ms, drainTimeout=5000 ms,"
                        + " claims=[], signalOnly=false]");
        assertThat(election(500).claims(fence).signalOnly().build())
                .hasToString("ElectorOptions[ttl=500 ms, renewEvery=160 ms, retryEvery=250 ms, drainTimeout=500 ms,"
                        + " claims=[fence 'orders'], signalOnly=true]");
        assertThat(LockOptions.defaults())
                .hasToString("LockOptions[ttl=30000 ms, retryEvery=100 ms, holdAtLeast=0 ms, maxHold=none,"
                        + " renewed=false, signalOnly=false]");
        assertThat(lock(60).renewed()
                        .holdAtLeast(ms(7))
                        .maxHold(Duration.ofDays(2))
                        .signalOnly()
                        .build())
                .hasToString("LockOptions[ttl=60 ms, retryEvery=100 ms, holdAtLeast=7 ms, maxHold=2 days,"
                        + " renewed=true, signalOnly=true]");
    }
}
