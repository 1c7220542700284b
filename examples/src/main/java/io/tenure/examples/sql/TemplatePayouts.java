package io.tenure.examples.sql;

import io.tenure.jdbc.BoundJdbcFence;
import java.sql.Connection;
import java.sql.SQLException;

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
        void executeWithoutResult(Runnable action);
    }

    private final Transactions transactions;
    private final Jdbc jdbc;
    private final BoundJdbcFence fence;

    TemplatePayouts(Transactions transactions, Jdbc jdbc, BoundJdbcFence fence) {
        this.transactions = transactions;
        this.jdbc = jdbc;
        this.fence = fence;
    }

    // tag::template
    void pay(String account, long amount) {
        transactions.executeWithoutResult(() -> {
            jdbc.execute(this::require); // first, on the connection of the transaction
            jdbc.update("UPDATE accounts SET balance = balance - ? WHERE name = ?", amount, account);
            jdbc.update("INSERT INTO payouts (account, amount) VALUES (?, ?)", account, amount);
        });
    }

    private boolean require(Connection connection) {
        fence.require(connection);
        return true;
    }
    // end::template
}
