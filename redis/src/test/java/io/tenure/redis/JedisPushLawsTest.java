package io.tenure.redis;

import io.tenure.testkit.faces.PushLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.extension.RegisterExtension;

class JedisPushLawsTest extends PushLaws {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected Stage openStage() {
        return new RedisStage(StoreClient.jedis(redis.uri()));
    }
}
