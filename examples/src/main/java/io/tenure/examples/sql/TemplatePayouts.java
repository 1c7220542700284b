package io.tenure.examples.sql;

import io.tenure.jdbc.BoundJdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** The same by templates. One for each term, over the fence bound to it. */
final class TemplatePayouts {
    /** What is called of Spring's {@code JdbcTemplate}. */
    interface Jdbc {
        int update(String sql, Object... arguments);

        <T> T execute(ConnectionCallback<T> action);
    }

    /** Spring's, but for its exceptions. */
    interface ConnectionCallback<T> {
        T doInConnection(Connection connection) throws SQLException;
    }

    /** What is called of Spring's {@code TransactionTemplate}. */
    interface Transactions {
        void executeWithoutResult(Consumer<Object> action);
    }

    private final Transactions transactions;
    private final Jdbc jdbc;
    private final BoundJdbcFence bound;

    TemplatePayouts(Transactions transactions, Jdbc jdbc, BoundJdbcFence bound) {
        this.transactions = transactions;
        this.jdbc = jdbc;
        this.bound = bound;
    }

    // tag::template
    void pay(String account, long amount) {
        transactions.executeWithoutResult(status -> {
            jdbc.execute(this::require); // first, on the connection of the transaction
            jdbc.update("UPDATE accounts SET balance = balance - ? WHERE name = ?", amount, account);
            jdbc.update("INSERT INTO payouts (account, amount) VALUES (?, ?)", account, amount);
        });
    }

    private boolean require(Connection connection) {
        bound.require(connection);
        return true;
    }
    // end::template
}
