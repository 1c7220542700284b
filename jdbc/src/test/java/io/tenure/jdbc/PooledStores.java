package io.tenure.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.testkit.faces.RealTimeStage;
import io.tenure.testkit.faces.Stage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database for one class of tests, with the table of leases in it and a pool in front. To be registered in a static field. */
final class PooledStores implements BeforeAllCallback, AfterAllCallback {
    private static final int CONNECTIONS = 40;

    private final SqlDatabase database;
    private final Connections connections;
    private @Nullable HikariDataSource pool;

    /** Where the connections of the pool come from. */
    @FunctionalInterface
    interface Connections {
        DataSource of(SqlDatabase database) throws SQLException;
    }

    private PooledStores(SqlDatabase database, Connections connections) {
        this.database = database;
        this.connections = connections;
    }

    static PooledStores on(Product product) {
        return on(product, SqlDatabase::dataSource);
    }

    static PooledStores on(Product product, Connections connections) {
        return new PooledStores(SqlDatabase.on(product), connections);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException {
        if (isNested(context)) {
            return;
        }
        database.beforeAll(context);
        HikariConfig config = new HikariConfig();
        config.setDataSource(connections.of(database));
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        pool = new HikariDataSource(config);
        try (JdbcLeaseStore store = JdbcLeaseStore.over(pool)) {
            store.createSchema();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        if (!isNested(context)) {
            pool().close();
            database.afterAll(context);
        }
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() != null;
    }

    SqlDatabase database() {
        return database;
    }

    HikariDataSource pool() {
        return Objects.requireNonNull(pool, "register this in a static field");
    }

    /** For the laws of the faces, which have leases of any ttl. */
    Stage stage() {
        return stage(CallThread.STORE);
    }

    Stage stage(CallThread callsOn) {
        JdbcStoreOptions options = JdbcStoreOptions.builder()
                .callTimeout(Duration.ofSeconds(1))
                .callsOn(callsOn)
                .build();
        return new RealTimeStage(() -> new AnyTtl(store(options)), Duration.ofSeconds(2));
    }

    JdbcLeaseStore store(JdbcStoreOptions options) {
        return JdbcLeaseStore.over(pool(), options);
    }
}
