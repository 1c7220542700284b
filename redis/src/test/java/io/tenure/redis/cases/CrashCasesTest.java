package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
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
        killLeaders(20);
    }

    @Test
    @Tag("nightly")
    void case09_each_of_sixty_takeovers_from_a_killed_leader_follows_its_last_renewal_by_the_ttl() {
        killLeaders(60);
    }

    private void killLeaders(int times) {
        Duration ttl = Duration.ofSeconds(2);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Long> due = new ArrayList<>();
        Map<String, Child> contenders = new HashMap<>();
        try (MonitorTap tap = MonitorTap.on(REDIS.port(), REDIS.cli())) {
            for (int i = 0; i < 2; i++) {
                contenders.put("node-" + i, contender("node-" + i, ttl));
            }
            for (int i = 1; i <= times; i++) {
                int terms = i;
                soon("leads", () -> ledger().tokens().size() == terms);
                soon("waits", () -> waiting() >= 1);
                // Its successor's successor starts meanwhile.
                contenders.put("node-" + (i + 1), contender("node-" + (i + 1), ttl));
                passes(Duration.ofMillis(random.nextInt((int) ttl.toMillis())));
                contenders.get(ledger().last().who()).kill();
                // What the dead had sent is read before this is asked twice.
                remaining();
                due.add(System.nanoTime() + remaining().toNanos());
                soon("the next one leads", () -> ledger().tokens().size() == terms + 1);
            }
            ledger().assertOneAtATime();
            assertEachFollowsTheLastRenewal(ttl, due, tap.commandsOf(leaseKey()), "seed " + seed);
        }
        assertThat(ledger().entries().stream().map(Ledger.Entry::who).distinct())
                .hasSize(times + 1);
    }

    /** By what the server was told and did, not by what it says of the lease: a renewal for too long would hide there. */
    private void assertEachFollowsTheLastRenewal(
            Duration ttl, List<Long> due, List<MonitorTap.Command> commands, String seed) {
        List<Hiccups.Late> late = new ArrayList<>();
        List<Long> granted = new ArrayList<>();
        long extended = 0;
        long renewals = 0;
        for (MonitorTap.Command command : commands) {
            if (command.is("PEXPIRE", leaseKey())) {
                extended = command.micros();
                renewals++;
            } else if (command.is("SET", leaseKey())) {
                if (!granted.isEmpty()) {
                    Duration by = micros(command.micros() - extended).minus(ttl);
                    late.add(machine.late(by, due.get(late.size())));
                }
                extended = command.micros();
                granted.add(MonitorTap.tokenOf(command.words().get(2)));
            }
        }
        assertThat(granted).as("grants").isEqualTo(ledger().tokens());
        assertThat(late).as("takeovers").hasSameSizeAs(due);
        assertThat(renewals).as("renewals").isGreaterThanOrEqualTo(late.size());
        assertThat(late)
                .as("never earlier than the ttl after the last renewal (%s)", seed)
                .allSatisfy(takeover -> assertThat(takeover.by()).isGreaterThanOrEqualTo(GRAIN.negated()));
        Hiccups.assertEachPunctual(late);
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
