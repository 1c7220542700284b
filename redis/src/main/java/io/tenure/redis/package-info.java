/**
 * Leases and fences on Redis. Start with {@link io.tenure.redis.RedisLeaseStore#connect(String)}, or with
 * {@link io.tenure.redis.LettuceStores} when the application has a client of its own.
 */
@NullMarked
package io.tenure.redis;

import org.jspecify.annotations.NullMarked;
