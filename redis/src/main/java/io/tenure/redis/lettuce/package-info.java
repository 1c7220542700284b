/** The binding for Lettuce. Not exported: {@code LettuceStores} and {@code RedisLeaseStore.connect} are its entrances. */
@NullMarked
package io.tenure.redis.lettuce;

import org.jspecify.annotations.NullMarked;
