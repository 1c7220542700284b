package io.tenure.examples.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.SetArgs;
import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/from-redlease.md, and what it says of a fleet of Go and Java instances. */
class FromRedleaseSnippetsTest {
    @RegisterExtension
    static final LocalRedis redis = new LocalRedis();

    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    @Test
    void a_leader_func_becomes_work() throws InterruptedException {
        RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
        Thread main = new Thread(() -> {
            // tag::run
            try (Tenure tenure = Tenure.over(store).observer(this::log).open()) {
                RedisFence fence = store.fence("report-builder");
                Elector elector = tenure.elector("report-builder"); // ttl 5 s
                elector.run(term -> {
                    // Blocks, like Run. leaderCtx.Done() is the interrupt, and isHeld().
                    while (term.isHeld()) {
                        fence.hset(term.token(), "jobs:report", "status", "running"); // or StaleTokenException
                        Thread.sleep(1_000);
                    }
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // ctx was cancelled: the term has ended, the lease is released
            }
            // end::run
        });
        main.start();

        await().atMost(20, SECONDS).until(() -> "running".equals(redis.cli().hget("jobs:report", "status")));
        main.interrupt();
        main.join(20_000);

        assertThat(main.isAlive()).isFalse();
        assertThat(events).hasExactlyElementsOfTypes(TenureEvent.Elected.class, TenureEvent.SteppedDown.class);
        assertThat(redis.cli().exists("report-builder:leader")).isZero();
    }

    private void log(TenureEvent event) {
        events.add(event);
    }

    @Test
    void the_token_driven_style_becomes_a_campaign() {
        RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
        try (Tenure tenure = Tenure.over(store).open()) {
            RedisFence fence = store.fence("board-keeper");
            // tag::token-driven
            Elector elector = tenure.elector("board-keeper");
            Candidacy candidacy = elector.campaign(); // go e.Run(ctx, nil)
            OptionalLong token = elector.token();
            if (token.isPresent()) { // f, ok := e.Fencer()
                fence.set(token.getAsLong(), "state", "v");
                fence.eval(
                        token.getAsLong(),
                        "return redis.call('zadd', KEYS[2], ARGV[2], ARGV[3])",
                        List.of("board"),
                        List.of("100", "alice"));
            }
            elector.resign(); // e.Resign()
            candidacy.close();
            // end::token-driven
            assertThat(redis.cli().get("state")).isEqualTo("v");
            assertThat(redis.cli().zscore("board", "alice")).isEqualTo(100);
        }
    }

    @Test
    void java_follows_a_go_leader_and_counts_on_from_it() {
        redis.cli().set("mixed:leader", "go-host-1f", SetArgs.Builder.px(600_000));
        redis.cli().set("mixed:fence", "7");
        redis.cli().set("mixed:fence:applied", "7");
        RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
        try (Tenure tenure = Tenure.over(store).open()) {
            Elector elector = tenure.elector("mixed");
            elector.campaign();

            LeaseRecord leader = elector.leader().orElseThrow();
            assertThat(leader.holder()).isEqualTo("go-host-1f");
            assertThat(leader.isOurs()).isFalse();
            assertThat(leader.token()).isEqualTo(7);

            redis.cli().del("mixed:leader"); // the Go instance releases, which publishes nothing
            await().atMost(20, SECONDS).until(elector::isLeader);

            long token = elector.token().orElseThrow();
            assertThat(token).isGreaterThan(1_000_000_000_000_000L);
            assertThat(redis.cli().get("mixed:fence")).isEqualTo(Long.toString(token));
            assertThat(redis.cli().get("mixed:fence:applied")).isEqualTo(Long.toString(token));
            assertThat(redis.cli().get("mixed:leader"))
                    .startsWith(tenure.holder() + "#")
                    .endsWith("-" + token);

            // a Go instance is elected next: it increments the counter, and stamps the mark
            RedisFence fence = store.fence("mixed");
            fence.set(token, "mixed:state", "java");
            long next = redis.cli().incr("mixed:fence");
            redis.cli().set("mixed:fence:applied", Long.toString(next));
            assertThat(next).isEqualTo(token + 1);
            assertThatThrownBy(() -> fence.set(token, "mixed:state", "late")).isInstanceOf(StaleTokenException.class);
            assertThat(redis.cli().get("mixed:state")).isEqualTo("java");
        }
    }
}
