package io.tenure.redis;

import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.LeaseStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisLeaseStoreContractTest extends LeaseStoreContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected LeaseServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
