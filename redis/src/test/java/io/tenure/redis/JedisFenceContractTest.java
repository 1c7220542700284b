package io.tenure.redis;

import io.tenure.testkit.FenceContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisFenceContractTest extends FenceContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
