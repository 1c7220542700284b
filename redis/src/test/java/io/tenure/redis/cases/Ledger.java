package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.redis.RedisFence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What holders did, in the order and at the times at which the server let them: a list that only fenced writes extend.
 * It judges what everybody believed of themselves.
 */
final class Ledger {
    static final String BEGIN = "begin";
    static final String TICK = "tick";
    static final String END = "end";

    private static final String BODY = "local time = redis.call('TIME')"
            + " return redis.call('RPUSH', KEYS[2], ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4] .. ' '"
            + " .. time[1] .. string.format('%06d', tonumber(time[2])))";

    private final RedisCommands<String, String> cli;
    private final String key;

    /** One accepted write: by which term, who, what, and when by the server's clock. */
    record Entry(long token, String who, String what, long micros) {}

    Ledger(RedisCommands<String, String> cli, String role) {
        this.cli = cli;
        this.key = key(role);
    }

    private static String key(String role) {
        return "ledger:" + role;
    }

    /** Adds a line, unless the fence refuses. */
    static void write(RedisFence fence, long token, String who, String what) {
        fence.eval(token, BODY, List.of(key(fence.name())), List.of(Long.toString(token), who, what));
    }

    List<Entry> entries() {
        return cli.lrange(key, 0, -1).stream()
                .map(line -> line.split(" "))
                .map(words -> new Entry(Long.parseLong(words[0]), words[1], words[2], Long.parseLong(words[3])))
                .toList();
    }

    Entry last() {
        List<Entry> entries = entries();
        return entries.get(entries.size() - 1);
    }

    /** The terms that wrote, in the order of their first writes. */
    List<Long> tokens() {
        return entries().stream().map(Entry::token).distinct().toList();
    }

    /** Tokens never fall from one accepted write to the next, and every token is one holder's. */
    void assertOneAtATime() {
        List<Entry> entries = entries();
        assertThat(entries).as("writes").isNotEmpty();
        assertThat(entries).extracting(Entry::token).as("in the server's order").isSorted();
        Map<Long, String> holders = new HashMap<>();
        for (Entry entry : entries) {
            assertThat(holders.computeIfAbsent(entry.token(), token -> entry.who()))
                    .as("who writes by token %d", entry.token())
                    .isEqualTo(entry.who());
        }
    }

    /** Every term has ended before the next one begins. */
    void assertTermsFollowEachOther() {
        assertOneAtATime();
        List<Entry> edges =
                entries().stream().filter(entry -> !entry.what().equals(TICK)).toList();
        for (int i = 0; i < edges.size(); i++) {
            assertThat(edges.get(i).what()).as("line %d of %s", i, edges).isEqualTo(i % 2 == 0 ? BEGIN : END);
            if (i % 2 == 1) {
                assertThat(edges.get(i).token()).isEqualTo(edges.get(i - 1).token());
            }
        }
    }
}
