package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Election 13: two live processes were given one id. */
class DuplicateCasesTest extends ElectionCase {
    @Test
    void case13_of_two_processes_with_one_id_the_second_takes_over_once_and_both_lead_for_a_renewal_at_most() {
        Duration ttl = Duration.ofSeconds(2);
        Child first = contender("node-1", ttl);
        long lost = Long.parseLong(first.hear("elected"));
        soon("writes", () -> !ledger().entries().isEmpty());
        Child second = contender("node-1", ttl);
        long won = Long.parseLong(second.hear("elected"));
        assertThat(won).isGreaterThan(lost);

        assertThat(first.hear("stepped-down")).isEqualTo(lost + " DUPLICATE_HOLDER");
        long doubted = nanos(first.hear("doubts"), lost);
        long believed = nanos(second.hear("believes"), won);
        // One renewal and one round trip: a tenth of a second beyond what the machine was late meanwhile, and a
        // millisecond at either end, which is how often they look at themselves.
        Duration renewEvery = ElectorOptions.ofTtl(ttl).build().renewEvery();
        Duration hiccup = machine.worstWithin(believed, Math.max(believed, doubted));
        assertThat(Duration.ofNanos(doubted - believed))
                .as("overlap by their own belief, machine %s", hiccup)
                .isLessThanOrEqualTo(renewEvery.plusMillis(102).plus(hiccup));

        passes(ttl.multipliedBy(10));

        ledger().assertOneAtATime();
        assertThat(ledger().tokens()).as("one takeover").containsExactly(lost, won);
        assertThat(first.heard("elected")).hasSize(1);
        assertThat(second.heard("elected")).hasSize(1);
        assertThat(second.heard("stepped-down")).isEmpty();
        assertThat(first.heard("duplicate")).hasSize(1);
        assertThat(second.heard("duplicate")).hasSizeLessThanOrEqualTo(1);
        assertThat(REDIS.cli().get(leaseKey())).endsWith("-" + won);
    }

    private static long nanos(String line, long token) {
        String[] words = line.split(" ");
        assertThat(Long.parseLong(words[0])).isEqualTo(token);
        return Long.parseLong(words[1]);
    }
}
