package io.tenure.redis;

import io.tenure.testkit.faces.Stage;
import io.tenure.testkit.faces.WaitLaws;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisWaitLawsTest extends WaitLaws {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected Stage openStage() {
        return new RedisStage(redis);
    }
}
