/** Transactions of a database under the fence of a lease: by plain JDBC, by templates, and by a wrapper. */
@NullMarked
package io.tenure.examples.sql;

import org.jspecify.annotations.NullMarked;
