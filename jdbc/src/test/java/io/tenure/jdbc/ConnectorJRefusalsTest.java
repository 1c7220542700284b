package io.tenure.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What MySQL's driver tells of the same, on MariaDB. */
class ConnectorJRefusalsTest extends RefusalCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    DataSource dataSource() {
        return ConnectorJ.of(database);
    }

    @Override
    DataSource dataSourceOf(String user, String password) {
        MysqlDataSource source = (MysqlDataSource) dataSource();
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    String quoted() {
        return "tenure_lease";
    }

    @Override
    void makeUser(String user, String password) throws SQLException {
        database.execute(
                "CREATE USER " + user + "@'%' IDENTIFIED BY '" + password + "'",
                "GRANT SELECT ON tenure_lease TO " + user + "@'%'");
    }

    @Override
    void dropUser(String user) throws SQLException {
        database.execute("DROP USER " + user + "@'%'");
    }

    @Override
    DataSource ofDatabase(String name) {
        MysqlDataSource source = (MysqlDataSource) dataSource();
        source.setUrl(source.getUrl().replaceAll("/[^/]*$", "/" + name));
        return source;
    }

    @Override
    DataSource readOnly() {
        return Wrapped.each(dataSource(), connection -> connection.setReadOnly(true));
    }
}
