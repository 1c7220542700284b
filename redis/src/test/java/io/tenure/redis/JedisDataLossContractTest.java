package io.tenure.redis;

import io.tenure.testkit.DataLossContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisDataLossContractTest extends DataLossContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
