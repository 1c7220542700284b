package io.tenure.verification.arrows.tool;

import io.tenure.verification.arrows.Tenure;
import io.tenure.verification.arrows.redis.RedisStore;

/** Keeps every rule. */
public final class Main {
    final Tenure tenure = new Tenure();

    RedisStore[] stores() {
        return new RedisStore[0];
    }
}
