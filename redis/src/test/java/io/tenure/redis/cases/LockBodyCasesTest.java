package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.EndReason;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of a body that fails under a lease that is lost. */
class LockBodyCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final LockOptions OPTIONS =
            LockOptions.ofTtl(Duration.ofSeconds(2)).signalOnly().build();

    private static void assertBothAreReported(Throwable thrown, Throwable ofTheBody, String name, long token) {
        assertThat(thrown).as("the body's error first").isSameAs(ofTheBody);
        assertThat(thrown.getSuppressed()).hasSize(1);
        assertThat(thrown.getSuppressed()[0]).isInstanceOfSatisfying(LeaseLostException.class, lost -> {
            assertThat(lost.reason()).isEqualTo(EndReason.FORCED);
            assertThat(lost.name()).isEqualTo(name);
            assertThat(lost.token()).isEqualTo(token);
        });
    }

    private void assertTold(Participant member, String name, long token) {
        until("told", () -> !member.events(LeaseLost.class).isEmpty());
        assertThat(member.events(LeaseLost.class)).containsExactly(new LeaseLost(name, token, EndReason.FORCED));
    }

    @Test
    void case29_a_body_that_throws_after_the_lease_was_lost_reports_both_the_bodys_error_first() {
        String name = bench.name("report");
        Participant member = bench.member();
        LeaseLock lock = member.tenure.lock(name, OPTIONS);
        IllegalStateException ofTheBody = new IllegalStateException("the disk is full");
        AtomicLong token = new AtomicLong();

        Throwable thrown = catchThrowable(() -> lock.run(held -> {
            token.set(held.token());
            redis.cli().del(bench.lease(name));
            until("has noticed", () -> !held.isHeld());
            throw ofTheBody;
        }));

        assertBothAreReported(thrown, ofTheBody, name, token.get());
        assertTold(member, name, token.get());
    }

    @Test
    void case29_a_body_that_throws_before_the_loss_was_noticed_reports_both_too() {
        String name = bench.name("report");
        Participant member = bench.member();
        LeaseLock lock = member.tenure.lock(name, OPTIONS);
        AssertionError ofTheBody = new AssertionError("a bug");
        AtomicLong token = new AtomicLong();

        Throwable thrown = catchThrowable(() -> lock.run(Bench.PATIENCE, held -> {
            token.set(held.token());
            redis.cli().del(bench.lease(name));
            throw ofTheBody;
        }));

        assertBothAreReported(thrown, ofTheBody, name, token.get());
        assertTold(member, name, token.get());
    }
}
