/** The demo on Redis. */
@NullMarked
package io.tenure.tool.demo.redis;

import org.jspecify.annotations.NullMarked;
