package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a follower's pushes when its subscription is refused for a while. */
class RedisSubscriptionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

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

    private boolean isRefused(String user) {
        return cli.aclLog().stream().anyMatch(entry -> user.equals(entry.get("username")));
    }
}
