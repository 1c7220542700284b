package io.tenure.examples.sql;

import io.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** Runs work in transactions, as whatever stands behind {@code @Transactional} does. */
interface Transactions {
    <T> T run(Work<T> work) throws SQLException;

    /** What is done in one transaction. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Plain ones. */
    static Transactions over(DataSource source) {
        return new Transactions() {
            @Override
            public <T> T run(Work<T> work) throws SQLException {
                try (Connection connection = source.getConnection()) {
                    connection.setAutoCommit(false);
                    try {
                        T result = work.on(connection);
                        connection.commit();
                        return result;
                    } catch (SQLException | RuntimeException e) {
                        connection.rollback();
                        throw e;
                    }
                }
            }
        };
    }

    // tag::wrapper
    /** These, each of which requires the token first. */
    default Transactions fenced(JdbcFence fence, LongSupplier token) {
        Transactions plain = this;
        return new Transactions() {
            @Override
            public <T> T run(Work<T> work) throws SQLException {
                return plain.run(connection -> {
                    fence.require(connection, token.getAsLong());
                    return work.on(connection);
                });
            }
        };
    }
    // end::wrapper
}
