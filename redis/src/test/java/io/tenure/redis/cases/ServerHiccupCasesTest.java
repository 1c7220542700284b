package io.tenure.redis.cases;

import static io.tenure.redis.StoreFixture.get;
import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.RawConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Laws 20, 23, 27 and 29 on a server that pauses, hangs up or forgets, for less than a lease lasts. */
class ServerHiccupCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule("--appendonly", "yes", "--appendfsync", "always");

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(4);

    /** A lock that is waited for comes by push when it is released. */
    private void assertPushed(Electorate all) throws InterruptedException {
        String name = bench.name("pushed");
        HeldLock held = all.a.tenure.lock(name).acquire();
        CompletionStage<Optional<HeldLock>> waiting = all.b.tenure.lock(name).tryAcquireAsync(Duration.ofSeconds(20));
        until("waits", () -> redis.cli().zcard(name + ":waiters") == 1);
        held.release();
        get(waiting).orElseThrow().release();
    }

    @Test
    void law29_a_flush_of_the_scripts_is_noticed_by_nobody() throws InterruptedException {
        Electorate all = new Electorate(bench, TTL);
        HeldLock held = all.a.tenure.lock(bench.name("held")).acquire();

        for (int flush = 0; flush < 3; flush++) {
            redis.cli().scriptFlush();
            held.refresh();
            assertPushed(all);
        }
        redis.cli().scriptFlush();
        held.release();

        all.assertHealed();
        all.assertUndisturbed();
        assertThat(all.a.events(ReleaseFailed.class)).isEmpty();
    }

    @Test
    void law20_killed_connections_cost_no_lease_and_pushes_arrive_again() throws InterruptedException {
        Electorate all = new Electorate(bench, TTL);
        for (KillArgs kill : List.of(
                KillArgs.Builder.typePubsub(), KillArgs.Builder.typeNormal().skipme())) {
            HeldLock held = all.a.tenure.lock(bench.name("held")).acquire();
            redis.cli().clientKill(kill);
            until("is connected again", () -> {
                try {
                    held.refresh();
                    return true;
                } catch (StoreException e) {
                    assertThat(e.isTransient()).isTrue();
                    return false;
                }
            });
            assertPushed(all);
            held.release();
        }
        all.assertHealed();
        all.assertUndisturbed();
    }

    @Test
    void law10_pauses_of_the_server_that_end_before_the_lease_does_cost_none() throws InterruptedException {
        Electorate all = new Electorate(bench, TTL);
        HeldLock held = all.a.tenure.lock(bench.name("held")).acquire();
        try (RawConnection sleeper = RawConnection.to(redis.port())) {
            sleeper.call("CLIENT", "PAUSE", "900", "ALL");
            Bench.pause(Duration.ofSeconds(1));
            sleeper.call("CLIENT", "PAUSE", "900", "WRITE");
            Bench.pause(Duration.ofSeconds(1));
            sleeper.call("DEBUG", "SLEEP", "0.9");
        }
        held.refresh();
        held.release();

        all.assertHealed();
        all.assertUndisturbed();
    }

    @Test
    void law06_a_restart_that_kept_everything_costs_no_lease_and_is_told_once_by_each() {
        Electorate all = new Electorate(bench, TTL);
        List<Participant> members = List.of(all.a, all.b);
        redis.stop();
        redis.start();

        for (Participant member : members) {
            until(
                    "the restart is told",
                    () -> !member.events(StoreWarning.class).isEmpty());
        }
        all.assertLocksWork();
        redis.cli().clientKill(KillArgs.Builder.typeNormal().skipme());
        all.assertHealed();
        assertThat(all.leader.token()).hasValue(all.token);
        for (Participant member : members) {
            assertThat(member.events(StoreWarning.class))
                    .singleElement()
                    .satisfies(
                            event -> assertThat(event.message()).contains("was restarted", "what it had kept on disk"));
        }
    }

    @Test
    void law27_a_server_with_too_many_clients_turns_new_ones_away_for_a_while_only() {
        Electorate all = new Electorate(bench, TTL);
        List<RawConnection> crowd = new ArrayList<>();
        int clients = redis.cli().clientList().split("\n").length;
        redis.cli().configSet("maxclients", "" + (clients + 4));
        try {
            for (int i = 0; i < 4; i++) {
                RawConnection one = RawConnection.to(redis.port());
                crowd.add(one);
                one.call("PING");
            }
            StoreException refusal = StoreFixture.failure(
                    () -> RedisLeaseStore.connect(redis.uri()).close());
            assertThat(refusal.isTransient()).isTrue();
            assertThat(refusal).hasMessageContaining("max number of clients");
            // Whoever loses its connection now is turned away as well, until there is room.
            redis.cli().clientKill(KillArgs.Builder.typePubsub());
        } finally {
            crowd.forEach(RawConnection::close);
            redis.cli().configSet("maxclients", "10000");
        }
        RedisLeaseStore.connect(redis.uri()).close();
        all.assertHealed();
        all.assertUndisturbed();
    }
}
