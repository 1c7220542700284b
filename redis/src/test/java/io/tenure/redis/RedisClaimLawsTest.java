package io.tenure.redis;

import io.tenure.testkit.faces.ClaimLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClaimLawsTest extends ClaimLaws {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Override
    protected Stage openStage() {
        return new RedisStage(redis);
    }
}
