package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.TenureEvent;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisWakeupsTest {
    private static final Duration LINE = Duration.ofSeconds(20);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private static RedisLeaseStore store;
    private static RedisCommands<String, String> cli;
    private String name;
    private Claim held;

    @BeforeAll
    static void open() {
        store = RedisLeaseStore.connect(redis.uri());
        cli = redis.cli();
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @BeforeEach
    void hold() {
        name = fresh("job");
        held = StoreFixture.hold(store, lock(claim(name, "holder")));
    }

    /** Somebody who waits: registered, in line, and past the wake that tells that pushes arrive from now on. */
    private final class Waiter {
        final Claim claim = claim(name, "waiter");
        final List<Duration> wakes = new CopyOnWriteArrayList<>();
        final Wakeups.Registration registration;

        Waiter(LeaseStore through) {
            registration = through.wakeups().await(name, claim.incarnation(), wakes::add);
            await().until(() -> through.wakeups().isLive() && wakes.contains(Duration.ZERO));
            denied(through, waiting(lock(claim), LINE));
            wakes.clear();
        }
    }

    @Test
    void law21_a_release_wakes_the_first_in_line_and_tells_the_second_to_look_later() {
        Waiter first = new Waiter(store);
        Waiter second = new Waiter(store);
        Waiter third = new Waiter(store);

        release(store, held);

        await().until(() -> first.wakes.contains(Duration.ZERO) && second.wakes.contains(Duration.ofMillis(50)));
        assertThat(third.wakes).isEmpty();
        assertThat(cli.zcard(name + ":waiters")).isEqualTo(3);
    }

    @Test
    void law21_a_woken_but_beaten_waiter_keeps_its_place() {
        Waiter first = new Waiter(store);
        new Waiter(store);
        release(store, held);
        granted(store, lock(claim(name, "thief")));

        assertThat(denied(store, waiting(lock(first.claim), LINE)).place()).isEqualTo(1);
    }

    @Test
    void law21_a_granted_waiter_leaves_the_line() {
        Waiter first = new Waiter(store);
        Waiter second = new Waiter(store);
        release(store, held);
        granted(store, waiting(lock(first.claim), LINE));
        first.registration.served();

        assertThat(denied(store, waiting(lock(second.claim), LINE)).place()).isEqualTo(1);
        assertThat(cli.zcard(name + ":waiters")).isEqualTo(1);
        assertThat(cli.zcard(name + ":waiters:seen")).isEqualTo(1);
    }

    @Test
    void law21_leaving_the_line_while_the_lease_is_free_wakes_the_next() {
        Waiter first = new Waiter(store);
        Waiter second = new Waiter(store);
        release(store, held);
        await().until(() -> !first.wakes.isEmpty());

        first.registration.close();

        await().until(() -> second.wakes.contains(Duration.ZERO));
        assertThat(cli.zrank(name + ":waiters", first.claim.incarnation())).isNull();
    }

    @Test
    void law21_leaving_the_line_of_a_held_lease_wakes_nobody() {
        Waiter first = new Waiter(store);
        Waiter second = new Waiter(store);

        first.registration.close();

        await().until(() -> cli.zcard(name + ":waiters") == 1);
        assertThat(second.wakes).isEmpty();
    }

    @Test
    void law21_a_push_that_nobody_waits_for_any_more_is_passed_on() {
        Waiter first = new Waiter(store);
        Waiter second = new Waiter(store);
        first.registration.served();

        release(store, held);

        await().until(() -> second.wakes.contains(Duration.ZERO));
        await().until(() -> cli.zcard(name + ":waiters") == 1);
    }

    @Test
    void law21_waiters_that_are_gone_are_skipped_and_leave_the_line() {
        for (int i = 0; i < 20; i++) {
            denied(store, waiting(lock(claim(name, "gone")), LINE));
        }
        Waiter live = new Waiter(store);

        release(store, held);

        await().until(() -> live.wakes.contains(Duration.ZERO));
        assertThat(cli.zrange(name + ":waiters", 0, -1)).containsExactly(live.claim.incarnation());
        assertThat(cli.zrange(name + ":waiters:seen", 0, -1)).containsExactly(live.claim.incarnation());
    }

    @Test
    void law21_waiters_not_seen_for_twice_their_bound_are_removed_by_denials_and_the_line_runs_out() {
        Claim gone = claim(name, "gone");
        denied(store, waiting(lock(gone), Duration.ofMillis(50)));
        Claim patient = claim(name, "patient");
        assertThat(denied(store, waiting(lock(patient), Duration.ofMillis(400))).place())
                .isEqualTo(2);

        await().until(() ->
                denied(store, waiting(lock(patient), Duration.ofMillis(400))).place() == 1);

        assertThat(cli.zscore(name + ":waiters:seen", gone.incarnation())).isNull();
        await().until(() -> cli.exists(name + ":waiters", name + ":waiters:seen") == 0);
    }

    @Test
    void law21_looking_again_soon_writes_nothing() {
        Claim waiter = claim(name, "eager");
        denied(store, waiting(lock(waiter), LINE));
        Double place = cli.zscore(name + ":waiters", waiter.incarnation());
        Double due = cli.zscore(name + ":waiters:seen", waiter.incarnation());

        for (int i = 0; i < 10; i++) {
            denied(store, waiting(lock(waiter), LINE));
        }

        assertThat(cli.zscore(name + ":waiters", waiter.incarnation())).isEqualTo(place);
        assertThat(cli.zscore(name + ":waiters:seen", waiter.incarnation())).isEqualTo(due);
    }

    @Test
    void law21_a_line_of_another_type_fails_neither_attempt_nor_release() {
        cli.set(name + ":waiters", "text");

        assertThat(denied(store, waiting(lock(claim(name, "b")), LINE)).place()).isZero();
        assertThat(release(store, held)).isTrue();
        granted(store, lock(claim(name, "c")));
    }

    @Test
    void a_release_that_keeps_the_name_taken_tells_when_it_will_be_free() {
        Waiter first = new Waiter(store);

        get(store.release(new ReleaseRequest(held, Duration.ofMillis(700), ReleaseMode.PLAIN)));

        await().until(() -> first.wakes.contains(Duration.ofMillis(701)));
    }

    @Test
    void an_eviction_wakes_the_first_in_line() {
        Waiter first = new Waiter(store);

        get(store.evict(get(store.find(name)).orElseThrow()));

        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    @Test
    void law20_after_a_lost_push_connection_everybody_looks_once_and_pushes_arrive_again() {
        Waiter first = new Waiter(store);

        cli.clientKill(KillArgs.Builder.typePubsub());

        await().until(() ->
                first.wakes.contains(Duration.ZERO) && store.wakeups().isLive());
        first.wakes.clear();
        denied(store, waiting(lock(first.claim), LINE));
        release(store, held);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    @Test
    void law20_a_store_is_live_only_while_pushes_arrive() {
        try (RedisLeaseStore other = RedisLeaseStore.connect(redis.uri())) {
            assertThat(other.wakeups().isLive()).isFalse();
            new Waiter(other);
            assertThat(other.wakeups().isLive()).isTrue();
        }
    }

    @Test
    void law21_a_user_who_may_not_publish_releases_without_failing_and_is_warned_once() {
        cli.aclSetuser(
                "mute",
                io.lettuce.core.AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(io.lettuce.core.protocol.CommandType.PUBLISH));
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore mute = RedisLeaseStore.connect("redis://mute:pw@127.0.0.1:" + redis.port())) {
            mute.listen(events::add);
            Waiter first = new Waiter(store);
            assertThat(release(mute, held)).isTrue();
            Claim again = StoreFixture.hold(mute, lock(claim(name, "x")));
            assertThat(release(mute, again)).isTrue();
            assertThat(first.wakes).isEmpty();
        }
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        TenureEvent.StoreWarning.class,
                        warning -> assertThat(warning.message())
                                .contains("publish")
                                .doesNotContain("pw@"));
    }

    @Test
    void law21_a_user_who_may_not_subscribe_is_warned_once_and_polls() {
        cli.aclSetuser(
                "deaf",
                io.lettuce.core.AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(io.lettuce.core.protocol.CommandType.SUBSCRIBE));
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore deaf = RedisLeaseStore.connect("redis://deaf:pw@127.0.0.1:" + redis.port())) {
            deaf.listen(events::add);
            deaf.wakeups().await(name, "incX", after -> {});
            deaf.wakeups().await(name, "incY", after -> {});
            await().until(() -> !events.isEmpty());
            assertThat(deaf.wakeups().isLive()).isFalse();
            assertThat(denied(deaf, waiting(lock(claim(name, "b")), LINE)).place())
                    .isEqualTo(1);
        }
        assertThat(events).hasSize(1);
    }

    @Test
    void law19_closing_a_store_takes_its_last_waiters_out_of_the_line() {
        RedisLeaseStore other = RedisLeaseStore.connect(redis.uri());
        Waiter waiter = new Waiter(other);

        waiter.registration.close();
        other.close();

        assertThat(cli.exists(name + ":waiters", name + ":waiters:seen")).isZero();
    }
}
