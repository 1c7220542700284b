package io.tenure.redis;

import io.tenure.testkit.faces.Stage;
import io.tenure.testkit.faces.TenureLaws;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisTenureLawsTest extends TenureLaws {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected Stage openStage() {
        return new RedisStage(StoreClient.jedis(redis.uri()));
    }
}
