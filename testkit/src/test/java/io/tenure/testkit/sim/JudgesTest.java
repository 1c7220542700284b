package io.tenure.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Timeline;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The judges judge: every broken server is caught, by the law that it breaks. */
final class JudgesTest {
    private static final int SEEDS = 300;

    private static void caught(String law, BiFunction<Conditions, Timeline, SimulatedServer> broken) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.ofSeed(seed).against(broken).run();
            } catch (BrokenLawException e) {
                assertThat(e).hasMessageStartingWith("Seed " + seed + " breaks " + law);
                assertThat(e.seed()).isEqualTo(seed);
                return;
            }
        }
        fail("%d histories did not notice what breaks %s", SEEDS, law);
    }

    @Test
    void law01_a_lease_that_is_granted_before_it_expired_is_caught() {
        caught("law 1", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Acquisition acquired(LeaseRequest request) {
                holder(request.claim().name())
                        .filter(held -> held.remaining().compareTo(Duration.ofMillis(20)) < 0)
                        .ifPresent(held -> now(store.evict(held)));
                return super.acquired(request);
            }
        });
    }

    @Test
    void law01_two_holders_at_once_are_caught() {
        caught("law 1", (conditions, clock) -> new TamperedServer(conditions, clock) {
            private int denials;

            @Override
            Acquisition acquired(LeaseRequest request) {
                Acquisition answer = super.acquired(request);
                return answer instanceof Acquisition.Denied denied && ++denials % 50 == 0
                        ? new Acquisition.Granted(denied.current().token() + 1, OptionalLong.empty())
                        : answer;
            }
        });
    }

    @Test
    void law01_a_free_lease_that_is_denied_is_caught() {
        caught("law 1", (conditions, clock) -> new TamperedServer(conditions, clock) {
            private final Map<String, LeaseRecord> last = new HashMap<>();

            @Override
            Acquisition acquired(LeaseRequest request) {
                String name = request.claim().name();
                LeaseRecord before = last.get(name);
                Optional<LeaseRecord> held = holder(name);
                held.ifPresent(record -> last.put(name, record));
                return held.isEmpty() && before != null ? new Acquisition.Denied(before, 0) : super.acquired(request);
            }
        });
    }

    @Test
    void law01_a_takeover_that_nobody_asked_for_is_caught() {
        caught("law 1", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Acquisition acquired(LeaseRequest request) {
                return super.acquired(new LeaseRequest(
                        request.claim(),
                        request.kind(),
                        request.ttl(),
                        request.floor(),
                        Takeover.ANY_INCARNATION,
                        request.lineFor()));
            }
        });
    }

    @Test
    void law03_a_repeated_attempt_that_counts_twice_is_caught() {
        caught("law 3", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Acquisition acquired(LeaseRequest request) {
                holder(request.claim().name())
                        .filter(held -> claimOf(held).withToken(0).equals(request.claim()))
                        .ifPresent(held -> now(store.evict(held)));
                return super.acquired(request);
            }
        });
    }

    @Test
    void law05_a_renewal_that_does_not_check_the_claim_is_caught() {
        caught("law 5", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Renewal renewed(RenewRequest request) {
                return holder(request.claim().name())
                        .map(held -> super.renewed(new RenewRequest(claimOf(held), request.kind(), request.ttl())))
                        .orElseGet(() -> super.renewed(request));
            }
        });
    }

    @Test
    void law05_a_renewal_in_words_only_is_caught() {
        caught("law 1", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Renewal renewed(RenewRequest request) {
                boolean held = holder(request.claim().name())
                        .filter(record -> claimOf(record).equals(request.claim()))
                        .isPresent();
                return held ? new Renewal.Renewed(OptionalLong.empty()) : super.renewed(request);
            }
        });
    }

    @Test
    void law05_a_release_that_does_not_check_the_claim_is_caught() {
        caught("law 5", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            boolean released(ReleaseRequest request) {
                return holder(request.claim().name())
                        .map(held ->
                                super.released(new ReleaseRequest(claimOf(held), request.holdFor(), request.mode())))
                        .orElse(false);
            }
        });
    }

    @Test
    void law06_a_token_that_is_minted_without_the_floor_is_caught() {
        caught("law 6", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            Acquisition acquired(LeaseRequest request) {
                return super.acquired(new LeaseRequest(
                        request.claim(), request.kind(), request.ttl(), 0, request.takeover(), request.lineFor()));
            }
        });
    }

    @Test
    void law26_a_fence_that_lets_every_token_from_the_mark_on_pass_is_caught() {
        caught("law 26", (conditions, clock) -> new TamperedServer(conditions, clock) {
            private final Map<String, Long> marks = new HashMap<>();

            @Override
            public void write(String name, long token) {
                long mark = marks.getOrDefault(name, 0L);
                if (token < mark) {
                    throw new StaleTokenException(name, token, mark);
                }
                marks.put(name, token);
            }
        });
    }

    @Test
    void law25_a_fence_that_refuses_the_current_token_is_caught() {
        caught("law 25", (conditions, clock) -> new TamperedServer(conditions, clock) {
            private int writes;

            @Override
            public void write(String name, long token) {
                if (++writes % 40 == 0) {
                    throw new StaleTokenException(name, token, token);
                }
                super.write(name, token);
            }
        });
    }

    @Test
    void law26_an_eviction_that_burns_no_token_is_caught() {
        caught("law 2", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            public CompletionStage<Boolean> evict(LeaseRecord seen) {
                return store.release(new ReleaseRequest(claimOf(seen), Duration.ZERO, ReleaseMode.PLAIN));
            }
        });
    }

    @Test
    void law12_a_release_that_burns_no_token_though_it_should_is_caught() {
        caught("law 2", (conditions, clock) -> new TamperedServer(conditions, clock) {
            @Override
            boolean released(ReleaseRequest request) {
                return super.released(new ReleaseRequest(request.claim(), request.holdFor(), ReleaseMode.PLAIN));
            }
        });
    }

    @Test
    void a_server_that_stops_granting_is_caught() {
        caught("liveness", (conditions, clock) -> new TamperedServer(conditions, clock) {
            private int requests;

            @Override
            Acquisition acquired(LeaseRequest request) {
                if (++requests > 100) {
                    throw new CompletionException(StoreException.passing("The server has had enough"));
                }
                return super.acquired(request);
            }
        });
    }
}
