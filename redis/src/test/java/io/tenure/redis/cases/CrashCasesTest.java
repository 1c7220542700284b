package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Elections 6 and 9: a leader is killed hard. */
class CrashCasesTest extends ElectionCase {
    /** What the server counts in milliseconds is a millisecond off at either end. */
    private static final Duration GRAIN = Duration.ofMillis(2);

    @Test
    void case06_a_leader_that_is_killed_and_restarted_with_its_id_leads_again_without_waiting_for_a_long_ttl() {
        Duration ttl = Duration.ofSeconds(30);
        Child before = contender("node-1", ttl);
        long token = Long.parseLong(before.hear("elected"));
        before.kill();
        long expiry = expiry();

        Child after = contender("node-1", ttl);
        long again = Long.parseLong(after.hear("elected"));

        assertThat(again).isGreaterThan(token);
        soon("writes", () -> ledger().tokens().contains(again));
        Duration early = micros(expiry - begun(again).micros());
        // Starting a process takes a second or two; ten on a busy machine.
        assertThat(early).as("before the old lease would have ended").isGreaterThan(Duration.ofSeconds(20));
        ledger().assertOneAtATime();
        assertThat(after.finish()).isZero();
        assertThat(isFree()).isTrue();
    }

    @Test
    void case09_each_of_twenty_takeovers_from_a_killed_leader_follows_its_last_renewal_by_the_ttl() {
        Duration ttl = Duration.ofSeconds(2);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Duration> late = new ArrayList<>();
        Child leader = contender("node-0", ttl);
        leader.hear("elected");
        try (Hiccups machine = new Hiccups()) {
            for (int i = 1; i <= 20; i++) {
                Child waiter = contender("node-" + i, ttl);
                waiter.hear("following");
                passes(Duration.ofMillis(random.nextInt((int) ttl.toMillis())));
                leader.kill();
                // What the dead had sent is read before this is asked twice.
                expiry();
                long expiry = expiry();
                long token = Long.parseLong(waiter.hear("elected"));
                soon("writes", () -> ledger().tokens().contains(token));
                late.add(micros(begun(token).micros() - expiry));
                leader = waiter;
            }
            ledger().assertOneAtATime();
            assertThat(late)
                    .as("never before the expiry (seed %d)", seed)
                    .allSatisfy(span -> assertThat(span).isGreaterThanOrEqualTo(GRAIN.negated()));
            machine.assertPunctual(late);
            System.out.println("case09: takeovers after the expiry "
                    + late.stream().sorted().toList() + ", machine " + machine.worst());
        }
        assertThat(ledger().tokens()).hasSize(21);
    }

    private Ledger.Entry begun(long token) {
        return ledger().entries().stream()
                .filter(entry -> entry.token() == token)
                .findFirst()
                .orElseThrow();
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
