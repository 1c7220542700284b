/** The binding for Jedis. Not exported: {@code JedisStores} is its entrance. */
@NullMarked
package io.tenure.redis.jedis;

import org.jspecify.annotations.NullMarked;
