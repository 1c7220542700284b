package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that says nothing, neither yes nor no. */
class SilentServerTest {
    private static final Duration CLAIM = Duration.ofSeconds(3);
    private static final Duration UPDATE = Duration.ofSeconds(1);
    private static final String NOTHING = "DELETE FROM tenure_fence WHERE 1 = 2";

    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @Test
    void law26_a_claim_to_a_server_that_says_nothing_is_over_in_its_time_and_its_connection_is_not_used_again()
            throws Exception {
        isOverInTime("claiming", CLAIM, fence -> fence.claim(2));
    }

    @Test
    void law26_a_guarded_update_by_a_server_that_says_nothing_is_over_in_its_time_and_its_connection_is_not_used_again()
            throws Exception {
        isOverInTime("writing by fence", UPDATE, fence -> fence.guardedUpdate(1, NOTHING));
    }

    /** Which the first call asks who it is; that one says nothing yet. */
    @Test
    void law26_a_first_call_to_a_server_that_says_nothing_has_sent_nothing() throws Exception {
        try (TcpRelay relay = TcpRelay.to(Integer.parseInt(POSTGRES.url().replaceAll(".*:(\\d+)/.*", "$1")));
                Connection connection = through(relay)) {
            JdbcFence fence = JdbcFence.over(
                    handingOut(connection),
                    UUID.randomUUID().toString(),
                    JdbcFenceOptions.builder().claimTimeout(UPDATE).build());
            relay.hold(Direction.TO_CLIENT);

            Throwable failure = catchThrowable(Later.doing(() -> fence.claim(1))::join);

            assertThat(failure)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll("claiming '" + fence.name() + "'", "does not answer", "Nothing was sent")
                    .hasMessageContaining("I/O error");
        }
    }

    private static void isOverInTime(String what, Duration time, Consumer<JdbcFence> asked) throws Exception {
        String name = UUID.randomUUID().toString();
        JdbcFence.createSchema(POSTGRES.dataSource());
        JdbcFence direct = JdbcFence.over(POSTGRES.dataSource(), name);
        direct.claim(1);
        List<String> calls = new CopyOnWriteArrayList<>();
        try (TcpRelay relay = TcpRelay.to(Integer.parseInt(POSTGRES.url().replaceAll(".*:(\\d+)/.*", "$1")));
                Connection connection = through(relay)) {
            JdbcFence fence = JdbcFence.over(
                    handingOut(noting(connection, calls)),
                    name,
                    JdbcFenceOptions.builder()
                            .claimTimeout(CLAIM)
                            .updateTimeout(UPDATE)
                            .build());
            fence.guardedUpdate(1, NOTHING); // it has found out what there is at the other end
            relay.hold(Direction.TO_CLIENT);
            long begin = System.nanoTime();

            Throwable failure = catchThrowable(Later.doing(() -> asked.accept(fence))::join);

            assertThat(failure)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContainingAll(what + " '" + name + "'", "may have been carried out");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(time.minusMillis(50), time.multipliedBy(3).plusSeconds(4));
            assertThat(calls).as("a late answer meets nobody").contains("abort");
        }
        direct.claim(3);
    }

    /**
     * Some drivers close a connection that fell silent, so that nothing but the call shows that somebody else would. Stays
     * open when it is given back.
     */
    private static Connection noting(Connection connection, List<String> calls) {
        return (Connection) Proxy.newProxyInstance(
                SilentServerTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    try {
                        return method.getName().equals("close") ? null : method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static Connection through(TcpRelay relay) throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) POSTGRES.dataSource();
        source.setURL(POSTGRES.url().replaceAll(":\\d+/", ":" + relay.port() + "/"));
        return source.getConnection();
    }

    private static PGSimpleDataSource handingOut(Connection connection) {
        return new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() {
                return connection;
            }
        };
    }
}
