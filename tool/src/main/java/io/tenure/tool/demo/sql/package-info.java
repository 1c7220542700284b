/** The demo on SQL databases. */
@NullMarked
package io.tenure.tool.demo.sql;

import org.jspecify.annotations.NullMarked;
