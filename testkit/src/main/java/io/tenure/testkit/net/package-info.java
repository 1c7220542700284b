/** A network that misbehaves to order: {@link io.tenure.testkit.net.TcpRelay}. */
@NullMarked
package io.tenure.testkit.net;

import org.jspecify.annotations.NullMarked;
