/** Real database servers, started by the tests from artifacts that bring them, on free ports of the loopback. */
@NullMarked
package io.tenure.jdbc.servers;

import org.jspecify.annotations.NullMarked;
