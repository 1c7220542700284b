package io.tenure.redis;

import io.tenure.testkit.faces.PollLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisPollLawsTest extends PollLaws {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected Stage openStage() {
        return new RedisStage(redis);
    }
}
