package io.tenure.jdbc.servers;

import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A running server, with as many databases as tests want. */
interface SqlServer extends AutoCloseable {
    void create(String database) throws SQLException;

    void drop(String database) throws SQLException;

    /** Without a pool: every connection is a new one. */
    DataSource dataSource(String database, String user, String password) throws SQLException;

    String url(String database);

    String admin();

    String adminPassword();

    @Override
    void close() throws IOException;
}
