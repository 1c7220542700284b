package io.tenure.redis.fleet;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * An instance of the Go library redlease, played by what its documents say, on a connection of its own. The value of its
 * lease is its bare id. It publishes nothing, and whatever is closed without a {@link #release()} died.
 */
final class GoInstance implements AutoCloseable {
    /** SET NX PX of the id, or its own leftover; the counter, healed from the mark, is incremented; the mark is stamped. */
    private static final String ACQUIRE = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then
              redis.call('PEXPIRE', KEYS[1], ARGV[2])
            elseif not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
              return '0'
            end
            local mark = redis.call('GET', KEYS[3])
            if mark and tonumber(mark) > tonumber(redis.call('GET', KEYS[2]) or 0) then
              redis.call('SET', KEYS[2], mark)
            end
            redis.call('INCR', KEYS[2])
            local token = redis.call('GET', KEYS[2])
            redis.call('SET', KEYS[3], token)
            return token
            """;

    private static final String RENEW =
            "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0";

    private static final String RELEASE =
            "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0";

    private static final String FENCE = """
            local token = tonumber(ARGV[1])
            if token < math.max(1, tonumber(redis.call('GET', KEYS[1]) or 0)) then return 0 end
            %s
            redis.call('SET', KEYS[1], ARGV[1])
            return 1
            """;

    final String name;
    final String id;
    private final RedisClient client;
    private final RedisCommands<String, String> redis;

    GoInstance(String uri, String name, String id) {
        this.name = name;
        this.id = id;
        this.client = RedisClient.create(uri);
        this.redis = client.connect().sync();
    }

    /** The token of a new term; empty when somebody else has the lease. */
    OptionalLong acquire(Duration ttl) {
        String[] keys = {name + ":leader", name + ":fence", name + ":fence:applied"};
        String token = redis.eval(ACQUIRE, ScriptOutputType.VALUE, keys, id, millis(ttl));
        return token.equals("0") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(token));
    }

    /** The token of a new term, which nobody is in the way of. */
    long elected(Duration ttl) {
        return acquire(ttl).orElseThrow(() -> new AssertionError(name + " is held by " + redis.get(name + ":leader")));
    }

    boolean renew(Duration ttl) {
        return isOne(redis.eval(RENEW, ScriptOutputType.INTEGER, new String[] {name + ":leader"}, id, millis(ttl)));
    }

    boolean release() {
        return isOne(redis.eval(RELEASE, ScriptOutputType.INTEGER, new String[] {name + ":leader"}, id));
    }

    /** Whether the write was applied. */
    boolean hset(long token, String key, String field, String value) {
        return eval(token, "redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])", List.of(key), field, value);
    }

    /** Whether the write was applied. */
    boolean set(long token, String key, String value) {
        return eval(token, "redis.call('SET', KEYS[2], ARGV[2])", List.of(key), value);
    }

    /** Whether the write was applied. */
    boolean eval(long token, String body, List<String> keys, String... args) {
        List<String> all = new ArrayList<>(List.of(name + ":fence:applied"));
        all.addAll(keys);
        List<String> values = new ArrayList<>(List.of(Long.toString(token)));
        values.addAll(List.of(args));
        return isOne(redis.eval(
                FENCE.formatted(body),
                ScriptOutputType.INTEGER,
                all.toArray(String[]::new),
                values.toArray(String[]::new)));
    }

    private static String millis(Duration span) {
        return Long.toString(span.toMillis());
    }

    private static boolean isOne(Long answer) {
        return answer == 1;
    }

    @Override
    public void close() {
        client.shutdown(0, 5, TimeUnit.SECONDS);
    }
}
