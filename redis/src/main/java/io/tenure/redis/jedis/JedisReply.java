package io.tenure.redis.jedis;

import io.tenure.redis.RedisReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;

/** What Jedis reads from a connection, as replies that every client gives. */
final class JedisReply {
    private JedisReply() {}

    static RedisReply of(@Nullable Object read) {
        return RedisReply.of(plain(read));
    }

    private static @Nullable Object plain(@Nullable Object read) {
        if (read instanceof List<?> list) {
            List<@Nullable Object> values = new ArrayList<>(list.size());
            for (Object element : list) {
                // A map, which only a script that asks for RESP3 can answer, is a list of pairs to Jedis.
                if (element instanceof KeyValue<?, ?> pair) {
                    values.add(plain(pair.getKey()));
                    values.add(plain(pair.getValue()));
                } else {
                    values.add(plain(element));
                }
            }
            return values;
        }
        return read instanceof JedisDataException ? null : read; // an error inside a list
    }
}
