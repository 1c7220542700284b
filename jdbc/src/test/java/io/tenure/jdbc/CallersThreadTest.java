package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On whose thread connections are taken. */
class CallersThreadTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private final Thread me = Thread.currentThread();
    private final List<Thread> takenBy = new CopyOnWriteArrayList<>();
    private final String name = "callers-" + UUID.randomUUID();

    /** Where something is given to this thread alone. */
    private volatile Connection mine;

    private JdbcLeaseStore store(SqlDatabase database, CallThread callsOn) throws SQLException {
        DataSource source = database.dataSource();
        DataSource watched = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        takenBy.add(Thread.currentThread());
                        return mine != null && Thread.currentThread() == me ? mine : method.invoke(source, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        // Rows are kept for ever, so none are looked for that are over.
        JdbcStoreOptions options = JdbcStoreOptions.builder()
                .callsOn(callsOn)
                .tokens(TokenSource.COUNTER)
                .build();
        JdbcLeaseStore store = JdbcLeaseStore.over(watched, options);
        store.createSchema();
        Asking.answer(store.find(name));
        takenBy.clear();
        return store;
    }

    @Test
    void a_caller_who_waits_asks_the_database_itself_where_that_is_wanted() throws SQLException {
        try (Tenure tenure = Tenure.over(store(POSTGRES, CallThread.CALLER)).open()) {
            tenure.lock(name).run(held -> {});

            assertThat(takenBy).hasSize(2).containsOnly(me);
        }
    }

    @Test
    void it_does_not_unless_that_is_wanted() throws SQLException {
        try (Tenure tenure = Tenure.over(store(POSTGRES, CallThread.STORE)).open()) {
            tenure.lock(name).run(held -> {});

            assertThat(takenBy).hasSize(2).doesNotContain(me);
        }
    }

    /** It would close the files of the database. */
    @Test
    void nobody_else_has_a_part_in_the_files_of_H2() throws SQLException {
        try (Tenure tenure = Tenure.over(store(H2, CallThread.CALLER)).open()) {
            tenure.lock(name).run(held -> {});

            assertThat(takenBy).hasSize(2).doesNotContain(me);
        }
    }

    @Test
    void law15_what_an_interrupted_thread_has_to_give_back_is_given_back_on_another() throws SQLException {
        try (Tenure tenure = Tenure.over(store(POSTGRES, CallThread.CALLER)).open()) {
            LeaseLock lock = tenure.lock(name);
            lock.run(held -> me.interrupt());

            assertThat(Thread.interrupted()).isTrue();
            assertThat(takenBy).hasSize(2).element(1).isNotSameAs(me);
            assertThat(lock.tryAcquire()).isPresent();
        }
    }

    /** As data sources that know of transactions do. */
    @Test
    void the_connection_of_a_callers_transaction_is_not_touched_and_told_of_once() throws SQLException {
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (Connection transaction = POSTGRES.dataSource().getConnection();
                Statement statement = transaction.createStatement();
                Tenure tenure = Tenure.over(store(POSTGRES, CallThread.CALLER))
                        .observer(events::add)
                        .open()) {
            POSTGRES.execute("CREATE TABLE IF NOT EXISTS callers (name text)");
            transaction.setAutoCommit(false);
            statement.execute("INSERT INTO callers VALUES ('" + name + "')");
            mine = unclosed(transaction);
            LeaseLock lock = tenure.lock(name);

            HeldLock first = lock.tryAcquire().orElseThrow();
            assertThat(takenBy).hasSize(2).element(0).isSameAs(me);
            first.release();
            HeldLock second = lock.tryAcquire().orElseThrow();
            second.close();

            assertThat(transaction.getAutoCommit()).isFalse();
            transaction.rollback();
            assertThat(rows(statement)).isZero();
            assertThat(tenure.find(name)).isEmpty();
        }
        assertThat(events.stream().filter(TenureEvent.StoreWarning.class::isInstance))
                .singleElement()
                .asString()
                .contains("auto-commit off", "callsOn(CALLER)");
    }

    private int rows(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM callers WHERE name = '" + name + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static Connection unclosed(Connection connection) throws SQLException {
        return Returning.always(connection).getConnection();
    }
}
