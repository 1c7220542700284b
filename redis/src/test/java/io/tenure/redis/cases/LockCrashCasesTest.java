package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.cases.MonitorTap.Command;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of holders that are killed hard. */
class LockCrashCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    @RegisterExtension
    final Children children = new Children();

    private static final Duration TTL = Duration.ofSeconds(4);

    /** Judged by the server: from the script that renewed last to the write that took over. */
    @ParameterizedTest
    @ValueSource(longs = {500, 4_000, 10_000})
    void case15_when_the_holder_is_killed_a_waiter_holds_one_ttl_of_the_holder_after_its_last_renewal(long ownTtl) {
        String name = bench.name("report");
        String lease = bench.lease(name);
        MonitorTap tap = bench.tap();
        Child holder = children.start(LockChild.class, redis.uri(), TTL.toMillis(), 60_000);
        holder.hear("ready");
        holder.tell("hold", name);
        long token = Long.parseLong(holder.hear("holds"));
        Participant waiting = bench.member();
        Doing<HeldLock> acquire = Doing.of(waiting.tenure.lock(
                name, LockOptions.ofTtl(Duration.ofMillis(ownTtl)).build())::acquire);
        until("was renewed", () -> tap.commands().stream().anyMatch(command -> command.is("PEXPIRE", lease)));
        Bench.pause(Duration.ofMillis(new Random(ownTtl).nextInt(600)));

        holder.kill();

        HeldLock held = acquire.result();
        assertThat(held.token()).isGreaterThan(token);
        List<Command> commands = tap.commands();
        assertThat(tap.tokensWritten(lease)).containsExactly(token, held.token());
        long renewed = 0;
        long renewals = 0;
        long script = 0;
        long takenOver = 0;
        for (Command command : commands) {
            if (!command.inScript()) {
                script = command.micros();
            } else if (command.is("PEXPIRE", lease)) {
                renewed = script;
                renewals++;
            } else if (command.is("SET", lease)) {
                takenOver = command.micros();
            }
        }
        assertThat(renewals).as("renewals").isPositive();
        assertThat(Duration.ofNanos((takenOver - renewed) * 1_000))
                .as("from the last of %s renewals to the take-over", renewals)
                .isGreaterThanOrEqualTo(TTL)
                .isLessThanOrEqualTo(TTL.plus(lateAtMost()));
    }

    /** However late the machine makes everybody: far from the half of a ttl by which a lease must not be longer. */
    private Duration lateAtMost() {
        Duration most = TTL.multipliedBy(3).dividedBy(8);
        return bench.late().compareTo(most) < 0 ? bench.late() : most;
    }
}
