package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A role of a mixed fleet changes hands again and again, in order and by a leader that stalls. */
class MixedFleetChurnTest {
    private static final Duration TTL = Duration.ofMillis(1_500);
    private static final Duration PACE = Duration.ofMillis(100);
    private static final int TERMS = 3;
    private static final String WRITE = "redis.call('RPUSH', KEYS[2], ARGV[2])";

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law02_whoever_leads_in_turn_writes_under_a_higher_token_than_all_before_it(TokenSource tokens) {
        String ledger = fleet.role() + ":ledger";
        Set<Long> ofGo = ConcurrentHashMap.newKeySet();
        Set<Long> ofJava = ConcurrentHashMap.newKeySet();
        GoInstance go = fleet.go();
        GoElector theirs = fleet.goElector(go, TTL, PACE, token -> {
            for (int line = 0; line < 3; line++) {
                if (go.eval(token, WRITE, List.of(ledger), token + " go")) {
                    ofGo.add(token);
                }
            }
        });
        ElectorOptions options = ElectorOptions.ofTtl(TTL).retryEvery(PACE).build();
        JavaInstance ours = fleet.java("java", tokens, options);
        ours.elector.campaign(term -> {
            while (term.isHeld()) {
                ours.fence.eval(term.token(), WRITE, List.of(ledger), List.of(term.token() + " java"));
                ofJava.add(term.token());
                Thread.sleep(5);
            }
        });

        // A leader that stalls: what it still writes, it writes without knowing whether it leads.
        Fleet.until("Java has written", () -> !ofJava.isEmpty() || resigns(theirs));
        ours.cutOff();
        Fleet.until("Go leads", theirs::isLeader);
        ours.wire.heal();
        Fleet.until(
                "both have written often",
                () -> ofJava.size() >= TERMS && ofGo.size() >= TERMS || resigns(theirs) || resigns(ours, ofJava));
        ours.tenure.close();
        theirs.close();

        Map<Long, String> writers = writers(redis.cli().lrange(ledger, 0, -1));
        assertThat(ofGo).allSatisfy(token -> assertThat(writers).containsEntry(token, "go"));
        assertThat(ofJava).allSatisfy(token -> assertThat(writers).containsEntry(token, "java"));
    }

    /** Always false: there is more to wait for. */
    private static boolean resigns(GoElector leader) {
        leader.resign();
        return false;
    }

    /** Once it has written by its present term. Always false: there is more to wait for. */
    private static boolean resigns(JavaInstance leader, Set<Long> written) {
        if (leader.elector.token().stream().anyMatch(written::contains)) {
            leader.elector.resign();
        }
        return false;
    }

    /** By token. Tokens never fall, and no two instances wrote under one. */
    private static Map<Long, String> writers(List<String> lines) {
        Map<Long, String> writers = new HashMap<>();
        List<Long> tokens = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            long token = Long.parseLong(words[0]);
            tokens.add(token);
            String first = writers.putIfAbsent(token, words[1]);
            assertThat(first == null ? words[1] : first)
                    .as("writer under %s", token)
                    .isEqualTo(words[1]);
        }
        assertThat(tokens).isSorted();
        return writers;
    }
}
