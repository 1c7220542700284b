package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.Term;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A role of a mixed fleet changes hands again and again, in order and by a leader that stalls. */
class MixedFleetChurnTest {
    private static final Duration TTL = Duration.ofMillis(1_500);
    private static final Duration PACE = Duration.ofMillis(100);
    private static final int TERMS = 3;

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law02_whoever_leads_in_turn_writes_under_a_higher_token_than_all_before_it(TokenSource tokens) {
        String ledger = fleet.role() + ":ledger";
        GoInstance go = fleet.go();
        GoElector theirs = fleet.goElector(go, TTL, PACE, token -> {
            for (int line = 0; line < 3; line++) {
                go.eval(token, "redis.call('RPUSH', KEYS[2], ARGV[2])", List.of(ledger), token + " go");
            }
        });
        ElectorOptions options = ElectorOptions.ofTtl(TTL).retryEvery(PACE).build();
        JavaInstance ours = fleet.java("java", tokens, options);
        List<Long> terms = new CopyOnWriteArrayList<>();
        ours.elector.campaign(term -> {
            terms.add(term.token());
            while (term.isHeld()) {
                write(ours, term, ledger);
                Thread.sleep(5);
            }
        });

        int stalls = 0;
        for (int round = 0;
                round < 60 && !(terms.size() >= TERMS && theirs.terms().size() >= TERMS);
                round++) {
            Fleet.until("somebody leads", () -> ours.elector.isLeader() || theirs.isLeader());
            if (theirs.isLeader()) {
                theirs.resign();
                Fleet.until("Go has stepped down", () -> !theirs.isLeader());
            } else if (stalls == 0) {
                stalls++;
                ours.cutOff();
                Fleet.until("Go leads", theirs::isLeader);
                ours.wire.heal();
            } else {
                ours.elector.resign();
            }
        }
        ours.tenure.close();
        theirs.close();

        assertThat(terms).hasSizeGreaterThanOrEqualTo(TERMS);
        assertThat(theirs.terms()).hasSizeGreaterThanOrEqualTo(TERMS);
        assertLedger(redis.cli().lrange(ledger, 0, -1));
    }

    private static void write(JavaInstance ours, Term term, String ledger) {
        ours.fence.eval(
                term.token(),
                "redis.call('RPUSH', KEYS[2], ARGV[2])",
                List.of(ledger),
                List.of(term.token() + " java"));
    }

    /** Tokens never fall, and no two instances wrote under one. */
    private static void assertLedger(List<String> lines) {
        Map<Long, String> writers = new HashMap<>();
        List<Long> tokens = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            tokens.add(Long.parseLong(words[0]));
            assertThat(writers.merge(Long.parseLong(words[0]), words[1], (one, other) -> one))
                    .as("writer under %s", words[0])
                    .isEqualTo(words[1]);
        }
        assertThat(tokens).isSorted();
        assertThat(writers).hasSizeGreaterThanOrEqualTo(2 * TERMS).containsValues("go", "java");
    }
}
