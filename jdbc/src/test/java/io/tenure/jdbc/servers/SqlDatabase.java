package io.tenure.jdbc.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * An empty database for one class of tests, on a server that is started by the first of them and ended after the last. To
 * be registered in a static field.
 */
public final class SqlDatabase implements BeforeAllCallback, AfterAllCallback {
    private final Product product;
    private @Nullable SqlServer server;
    private String name = "";

    private SqlDatabase(Product product) {
        this.product = product;
    }

    public static SqlDatabase on(Product product) {
        return new SqlDatabase(product);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException {
        if (isNested(context)) {
            return;
        }
        server = context.getRoot()
                .getStore(Namespace.create(SqlDatabase.class))
                .computeIfAbsent(product, SqlDatabase::started, SqlServer.class);
        name = "t" + UUID.randomUUID().toString().replace("-", "");
        server.create(name);
    }

    private static SqlServer started(Product product) {
        try {
            return product.start();
        } catch (Exception e) {
            throw new IllegalStateException("No " + product + " could be started", e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        if (!isNested(context)) {
            server().drop(name);
        }
    }

    /** A nested class inherits the database of the one around it. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() != null;
    }

    public Product product() {
        return product;
    }

    /** For its owner; every connection is a new one. */
    public DataSource dataSource() throws SQLException {
        return dataSourceOf(server().admin(), server().adminPassword());
    }

    /** For a user that a test has made. */
    public DataSource dataSourceOf(String user, String password) throws SQLException {
        return server().dataSource(name, user, password);
    }

    public String url() {
        return server().url(name);
    }

    public String admin() {
        return server().admin();
    }

    public String adminPassword() {
        return server().adminPassword();
    }

    /** Runs statements on a connection of their own. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private SqlServer server() {
        if (server == null) {
            throw new IllegalStateException("Register this in a static field, and ask it in a test");
        }
        return server;
    }
}
