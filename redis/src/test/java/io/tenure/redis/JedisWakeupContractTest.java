package io.tenure.redis;

import io.tenure.testkit.WakeupContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisWakeupContractTest extends WakeupContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
