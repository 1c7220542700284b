package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a follower's pushes when its subscription is refused for a while. */
class RedisSubscriptionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration LATE = Duration.ofSeconds(1);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private RedisCommands<String, String> cli;
    private String name;

    @BeforeEach
    void fresh() {
        cli = redis.cli();
        name = StoreFixture.fresh("job");
    }

    private static AclSetuserArgs user() {
        return AclSetuserArgs.Builder.on()
                .addPassword("pw")
                .allKeys()
                .allChannels()
                .allCommands();
    }

    private static AclSetuserArgs withoutSubscribe() {
        return user().removeCommand(CommandType.SUBSCRIBE);
    }

    private static AclSetuserArgs withoutPublish() {
        return user().removeCommand(CommandType.PUBLISH);
    }

    private static RedisLeaseStore connect(String user) {
        return RedisLeaseStore.connect("redis://" + user + ":pw@127.0.0.1:" + redis.port());
    }

    @Test
    void law20_a_follower_whose_subscription_was_refused_gets_pushes_as_soon_as_it_may() {
        cli.aclSetuser("late", withoutSubscribe());
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore leading = RedisLeaseStore.connect(redis.uri());
                RedisLeaseStore late = connect("late");
                Tenure following = Tenure.over(late).observer(events::add).open()) {
            hold(leading, election(claim(name, "leader")));
            following.elector(name).campaign();
            await().until(() -> events.stream().anyMatch(TenureEvent.StoreWarning.class::isInstance));
            assertThat(late.wakeups().isLive()).isFalse();

            cli.aclSetuser("late", user());

            await().atMost(PATIENCE).until(() -> late.wakeups().isLive());
        }
    }

    @Test
    void law20_a_subscription_that_did_not_come_back_with_its_connection_is_asked_for_again() {
        cli.aclSetuser("cut", user());
        try (RedisLeaseStore leading = RedisLeaseStore.connect(redis.uri());
                RedisLeaseStore cut = connect("cut");
                Tenure following = Tenure.over(cut).open()) {
            hold(leading, election(claim(name, "leader")));
            following.elector(name).campaign();
            await().until(() -> cut.wakeups().isLive());
            cli.aclSetuser("cut", withoutSubscribe());
            cli.clientKill(KillArgs.Builder.typePubsub());
            await().atMost(PATIENCE).until(() -> isRefused("cut")); // the client's own try to subscribe again
            assertThat(cut.wakeups().isLive()).isFalse();

            cli.aclSetuser("cut", user());

            await().atMost(PATIENCE).until(() -> cut.wakeups().isLive());
        }
    }

    @Test
    void law20_without_the_right_to_publish_a_follower_leads_within_its_retryEvery_after_a_resignation() {
        cli.aclSetuser("mute", withoutPublish());
        ElectorOptions options =
                ElectorOptions.ofTtl(Duration.ofSeconds(20)).retryEvery(RETRY).build();
        BlockingQueue<String> elections = new LinkedBlockingQueue<>();
        try (Tenure a = mute("a", elections);
                Tenure b = mute("b", elections)) {
            Map<String, Elector> electors = Map.of("a", a.elector(name, options), "b", b.elector(name, options));
            electors.get("a").campaign();
            electors.get("b").campaign();
            String leader = next(elections);

            for (int terms = 0; terms < 3; terms++) {
                String present = leader;
                Elector follower = electors.get(present.equals("a") ? "b" : "a");
                await().until(() -> follower.leader().stream()
                        .anyMatch(seen -> seen.holder().equals(present)));
                pause(RETRY.dividedBy(2)); // it leads for a while, so that the follower's look is well before its own
                long resigned = System.nanoTime();
                electors.get(present).resign();

                leader = next(elections);
                assertThat(leader).as("not the one that resigned").isNotEqualTo(present);
                assertThat(Duration.ofNanos(System.nanoTime() - resigned)).isLessThan(RETRY.plus(LATE));
            }
        }
    }

    private static void pause(Duration span) {
        LockSupport.parkNanos(span.toNanos());
    }

    private static Tenure mute(String id, BlockingQueue<String> elections) {
        return Tenure.over(connect("mute"))
                .holder(id)
                .observer(event -> {
                    if (event instanceof TenureEvent.Elected) {
                        elections.add(id);
                    }
                })
                .open();
    }

    @Test
    void law20_whoever_may_not_publish_counts_no_push_as_live_until_it_may() {
        cli.aclSetuser("hushed", withoutPublish());
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore leading = RedisLeaseStore.connect(redis.uri());
                RedisLeaseStore hushed = connect("hushed");
                Tenure following = Tenure.over(hushed).observer(events::add).open()) {
            hold(leading, election(claim(name, "leader")));
            following.elector(name).campaign();
            await().until(() -> events.stream().anyMatch(TenureEvent.StoreWarning.class::isInstance));
            assertThat(hushed.wakeups().isLive()).isFalse();

            cli.aclSetuser("hushed", user());
            await().atMost(PATIENCE).until(() -> hushed.wakeups().isLive());

            cli.aclSetuser("hushed", withoutPublish());
            Claim held = hold(hushed, lock(claim(name + "-other", "a")));
            denied(leading, waiting(lock(claim(name + "-other", "b")), Duration.ofSeconds(20)));
            assertThat(release(hushed, held)).isTrue();
            assertThat(hushed.wakeups().isLive()).as("its own release tells").isFalse();
        }
        assertThat(events)
                .filteredOn(TenureEvent.StoreWarning.class::isInstance)
                .hasSize(1);
    }

    private static @Nullable String next(BlockingQueue<String> elections) {
        try {
            return elections.poll(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isRefused(String user) {
        return cli.aclLog().stream().anyMatch(entry -> user.equals(entry.get("username")));
    }
}
