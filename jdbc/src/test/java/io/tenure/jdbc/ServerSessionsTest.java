package io.tenure.jdbc;

import static io.tenure.jdbc.Asking.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** What the driver is let keep on the server, by who answers; see PgBouncerTest for what comes of it. */
class ServerSessionsTest {
    /** More than the driver asks before it prepares. */
    private static final int CALLS = 8;

    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    @Test
    void law10_where_another_session_answers_nothing_is_kept_prepared_and_the_connection_goes_back_as_it_came()
            throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            use(Returning.always(throughSomething(connection)));

            assertThat(prepared(connection)).isZero();
            assertThat(connection.unwrap(PGConnection.class).getPrepareThreshold())
                    .isEqualTo(5);
        }
    }

    @Test
    void law10_where_the_same_session_answers_the_driver_prepares_as_it_likes() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            use(Returning.always(connection));

            assertThat(prepared(connection)).isPositive();
        }
    }

    private static void use(DataSource source) {
        JdbcFence.createSchema(source);
        JdbcFence fence = JdbcFence.over(source, UUID.randomUUID().toString());
        try (JdbcLeaseStore store = JdbcLeaseStore.over(
                source, JdbcStoreOptions.builder().maxThreads(1).build())) {
            store.createSchema();
            for (int call = 1; call <= CALLS; call++) {
                assertThat(answer(store.find("sessions"))).isEmpty();
                fence.claim(call);
                assertThat(fence.guardedUpdate(call, "DELETE FROM tenure_fence WHERE token = ?", -1))
                        .isZero();
            }
        }
    }

    private static long prepared(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_prepared_statements")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** A connection whose driver was told of another session when it connected. */
    private static Connection throughSomething(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        PGConnection told = proxy(
                PGConnection.class,
                (method, arguments) ->
                        method.getName().equals("getBackendPID") ? -1 : method.invoke(driver, arguments));
        return proxy(
                Connection.class,
                (method, arguments) -> method.getName().equals("unwrap") ? told : method.invoke(connection, arguments));
    }

    private interface Call {
        @Nullable
        Object of(Method method, @Nullable Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                ServerSessionsTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return call.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }
}
