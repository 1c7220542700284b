package io.tenure.redis;

import static io.tenure.redis.StoreFixture.fresh;

import io.tenure.testkit.ExternalFenceContract;
import io.tenure.testkit.LeaseServer.GuardedCell;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisExternalFenceContractTest extends ExternalFenceContract {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    @Override
    protected GuardedCell cell(String name) {
        RedisFence fence = RedisFence.external(redis.port(), name);
        String key = fresh("cell");
        String list = fresh("list");
        return new GuardedCell() {
            @Override
            public void write(long token, String value) {
                fence.set(token, key, value);
            }

            @Override
            public void writeWhatFails(long token) {
                redis.cli().rpush(list, "no hash");
                fence.hset(token, list, "field", "value");
            }

            @Override
            public void claim(long token) {
                fence.claim(token);
            }

            @Override
            public String read() {
                String value = redis.cli().get(key);
                return value == null ? "" : value;
            }
        };
    }
}
