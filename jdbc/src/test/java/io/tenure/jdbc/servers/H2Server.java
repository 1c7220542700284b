package io.tenure.jdbc.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Databases of H2 in this process's memory. */
final class H2Server implements SqlServer {
    @Override
    public void create(String database) {
        // The first connection makes it.
    }

    @Override
    public void drop(String database) throws SQLException {
        try (Connection connection =
                        dataSource(database, admin(), adminPassword()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    @Override
    public DataSource dataSource(String database, String user, String password) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url(database));
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    public String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    public String admin() {
        return "sa";
    }

    @Override
    public String adminPassword() {
        return "";
    }

    @Override
    public void close() {
        // Nothing but its databases, which are dropped one by one.
    }
}
