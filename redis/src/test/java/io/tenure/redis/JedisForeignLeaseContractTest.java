package io.tenure.redis;

import io.tenure.testkit.ForeignLeaseContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisForeignLeaseContractTest extends ForeignLeaseContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
