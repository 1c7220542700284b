package io.tenure.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Lease;
import io.tenure.StaleTokenException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.testkit.HandTerm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PayoutsTest {
    private static final Lease OLD = HandTerm.held("payouts", 7);
    private static final Lease NEW = HandTerm.held("payouts", 8);

    private final JdbcConnectionPool source = JdbcConnectionPool.create("jdbc:h2:mem:payouts", "sa", "");
    private final JdbcFence fence = JdbcFence.over(source, "payouts");

    @BeforeEach
    void open() throws SQLException {
        JdbcFence.createSchema(source);
        execute("CREATE TABLE accounts (name VARCHAR(20) PRIMARY KEY, balance BIGINT)");
        execute("CREATE TABLE payouts (account VARCHAR(20), amount BIGINT)");
        execute("INSERT INTO accounts VALUES ('ada', 100)");
        fence.claim(OLD.token());
    }

    @AfterEach
    void close() throws SQLException {
        execute("SHUTDOWN");
        source.dispose();
    }

    @Test
    void a_payout_by_plain_jdbc_is_refused_once_another_leads() throws SQLException {
        PlainPayouts old = new PlainPayouts(source, fence.bind(OLD));
        old.pay("ada", 10);
        fence.claim(NEW.token());

        assertThatThrownBy(() -> old.pay("ada", 10)).isInstanceOf(StaleTokenException.class);
        new PlainPayouts(source, fence.bind(NEW)).pay("ada", 5);

        assertThat(balance()).isEqualTo(85);
    }

    @Test
    void a_payout_that_fails_leaves_nothing() throws SQLException {
        assertThatThrownBy(() -> new PlainPayouts(source, fence.bind(OLD)).pay("nobody", 10))
                .isInstanceOf(IllegalStateException.class);

        fence.claim(NEW.token()); // and nothing that this would wait for
        assertThat(balance()).isEqualTo(100);
    }

    @Test
    void a_payout_by_templates_is_refused_once_another_leads() throws SQLException {
        SmallTemplate spring = new SmallTemplate(source);
        TemplatePayouts old = new TemplatePayouts(spring, spring, fence.bind(OLD));
        old.pay("ada", 10);
        fence.claim(NEW.token());

        assertThatThrownBy(() -> old.pay("ada", 10)).isInstanceOf(StaleTokenException.class);

        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void wrapped_transactions_require_the_token_of_the_moment() throws SQLException {
        AtomicLong token = new AtomicLong(OLD.token());
        Transactions fenced = Transactions.over(source).fenced(fence, token::get);
        fenced.run(PayoutsTest::payTen);
        fence.claim(NEW.token());

        assertThatThrownBy(() -> fenced.run(PayoutsTest::payTen)).isInstanceOf(StaleTokenException.class);
        token.set(NEW.token());
        fenced.run(PayoutsTest::payTen);

        assertThat(balance()).isEqualTo(80);
    }

    private static int payTen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("UPDATE accounts SET balance = balance - 10 WHERE name = 'ada'");
        }
    }

    private long balance() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM accounts WHERE name = 'ada'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As little of Spring's templates as the example calls: one transaction at a time. */
    private static final class SmallTemplate implements TemplatePayouts.Jdbc, TemplatePayouts.Transactions {
        private final Transactions transactions;
        private Connection current;

        SmallTemplate(DataSource source) {
            transactions = Transactions.over(source);
        }

        @Override
        public void executeWithoutResult(Consumer<Object> action) {
            try {
                transactions.run(connection -> {
                    current = connection;
                    action.accept(connection);
                    return true;
                });
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public <T> T execute(TemplatePayouts.ConnectionCallback<T> action) {
            try {
                return action.doInConnection(current);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int update(String sql, Object... arguments) {
            try (PreparedStatement statement = current.prepareStatement(sql)) {
                for (int i = 0; i < arguments.length; i++) {
                    statement.setObject(i + 1, arguments[i]);
                }
                return statement.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
