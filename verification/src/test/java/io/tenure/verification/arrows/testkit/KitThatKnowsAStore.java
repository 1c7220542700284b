package io.tenure.verification.arrows.testkit;

import io.tenure.verification.arrows.redis.RedisStore;

abstract class KitThatKnowsAStore {
    abstract RedisStore store();
}
