package io.tenure.jdbc.fence;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** MySQL's driver, on MariaDB. */
class MysqlDriverFenceTest extends SharedLockLaws {
    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return MARIA;
    }

    @Test
    void law27_too_many_arguments_are_told_by_the_statement_that_was_given() throws SQLException {
        assertTooManyArgumentsAreTold();
    }

    @Override
    DataSource source() {
        MysqlDataSource source = new MysqlDataSource();
        source.setURL(MARIA.url().replace("jdbc:mariadb:", "jdbc:mysql:") + "?sslMode=DISABLED");
        source.setUser(MARIA.admin());
        source.setPassword(MARIA.adminPassword());
        return source;
    }
}
