/** The demo: three processes, one election, a real server, and a check of everything that is claimed. */
@NullMarked
package io.tenure.tool.demo;

import org.jspecify.annotations.NullMarked;
