package io.tenure.redis;

import io.tenure.testkit.RetentionContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is kept for how long is the scripts' matter, and proven over Lettuce in every build. */
@Tag("nightly")
class JedisRetentionContractTest extends RetentionContract {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected ContractServer openServer() {
        return new ContractServer(redis, StoreClient.jedis(redis.uri()));
    }
}
