package io.tenure.redis;

import io.tenure.testkit.RetentionContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisRetentionContractTest extends RetentionContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
