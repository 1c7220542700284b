package io.tenure.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.TokenSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** What goes over the wire: time-outs, auto-commit and the like are to cost the server nothing. */
class PostgresRoundTripsTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    /** The driver makes the plans of its first calls anew, in as many round trips. */
    private static final int CALLS = 10;

    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    private Connection connection;
    private JdbcLeaseStore store;

    @BeforeEach
    void open() throws Exception {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        source.setSocketFactory(CountingSockets.class.getName());
        connection = source.getConnection();
        // Rows are kept for ever, so none are looked for that are over.
        store = JdbcLeaseStore.over(
                always(connection),
                JdbcStoreOptions.builder().tokens(TokenSource.COUNTER).build());
        store.createSchema();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        connection.close();
    }

    @Test
    void the_first_acquire_of_a_name_is_two_round_trips() throws Exception {
        int before = CountingSockets.sent();

        acquired(new Claim("new", "holder", "incarnation", 1, 0));

        assertThat(CountingSockets.sent() - before).isEqualTo(2);
    }

    @Test
    void an_uncontended_acquire_a_renewal_and_a_release_are_one_round_trip_each() throws Exception {
        Claim first = acquired(new Claim("name", "holder", "incarnation", 0, 0));
        done(store.release(new ReleaseRequest(first, Duration.ZERO, ReleaseMode.PLAIN)));
        for (int call = 1; call <= CALLS; call++) {
            int before = CountingSockets.sent();

            Claim held = acquired(new Claim("name", "holder", "incarnation", call, 0));
            assertThat(CountingSockets.sent() - before).as("acquire " + call).isEqualTo(1);

            Renewal renewal = done(store.renew(List.of(new RenewRequest(held, LeaseKind.LOCK, TTL)))
                    .get(0));
            assertThat(renewal).isInstanceOf(Renewal.Renewed.class);
            assertThat(CountingSockets.sent() - before).as("renewal " + call).isEqualTo(2);

            assertThat(done(store.release(new ReleaseRequest(held, Duration.ZERO, ReleaseMode.PLAIN))))
                    .isTrue();
            assertThat(CountingSockets.sent() - before).as("release " + call).isEqualTo(3);
        }
    }

    private Claim acquired(Claim claim) throws Exception {
        Acquisition answer =
                done(store.acquire(new LeaseRequest(claim, LeaseKind.LOCK, TTL, 0, Takeover.NONE, Duration.ZERO)));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        long token = ((Acquisition.Granted) answer).token();
        return new Claim(claim.name(), claim.holder(), claim.incarnation(), claim.attempt(), token);
    }

    private static <T> T done(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, SECONDS);
    }

    /** A pool of one, which does nothing of its own. */
    private static DataSource always(Connection connection) {
        Connection kept = (Connection) Proxy.newProxyInstance(
                PostgresRoundTripsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                PostgresRoundTripsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> kept);
    }
}
