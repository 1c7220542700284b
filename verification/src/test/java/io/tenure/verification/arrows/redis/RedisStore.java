package io.tenure.verification.arrows.redis;

import io.tenure.verification.arrows.spi.Port;

/** Keeps every rule. */
public abstract class RedisStore implements Port {
    RedisStore() {}
}
