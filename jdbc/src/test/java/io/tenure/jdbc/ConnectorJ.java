package io.tenure.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.tenure.jdbc.servers.SqlDatabase;
import javax.sql.DataSource;

/** The driver of MySQL, on the MariaDB of the tests: no MySQL server comes as an artifact. */
final class ConnectorJ {
    private ConnectorJ() {}

    static DataSource of(SqlDatabase database) {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(database.url().replace("jdbc:mariadb:", "jdbc:mysql:"));
        source.setUser(database.admin());
        source.setPassword(database.adminPassword());
        return source;
    }
}
