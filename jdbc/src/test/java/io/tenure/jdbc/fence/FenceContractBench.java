package io.tenure.jdbc.fence;

import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.testkit.ExternalFenceContract;
import io.tenure.testkit.LeaseServer.GuardedCell;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;

/** A row under the fence of a database, as the contract wants it. */
abstract class FenceContractBench extends ExternalFenceContract {
    abstract SqlDatabase database();

    /** Where the fence takes connections from. */
    DataSource source() throws SQLException {
        return database().dataSource();
    }

    @BeforeEach
    void makeTables() throws SQLException {
        JdbcFence.createSchema(source());
        database().execute("CREATE TABLE IF NOT EXISTS cells (id VARCHAR(40) PRIMARY KEY, content VARCHAR(600))");
    }

    @Override
    protected GuardedCell cell(String name) {
        try {
            return new Cell(JdbcFence.over(source(), name), database());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private record Cell(JdbcFence fence, SqlDatabase database, String id) implements GuardedCell {
        Cell(JdbcFence fence, SqlDatabase database) throws SQLException {
            this(fence, database, UUID.randomUUID().toString());
            database.execute("INSERT INTO cells VALUES ('" + id + "', '')");
        }

        @Override
        public void write(long token, String value) {
            fence.guardedUpdate(token, "UPDATE cells SET content = ? WHERE id = ?", value, id);
        }

        @Override
        public void writeWhatFails(long token) {
            fence.guardedUpdate(token, "INSERT INTO cells VALUES (?, 'twice')", id);
        }

        @Override
        public void claim(long token) {
            fence.claim(token);
        }

        @Override
        public String read() {
            try (Connection connection = database.dataSource().getConnection();
                    PreparedStatement statement =
                            connection.prepareStatement("SELECT content FROM cells WHERE id = '" + id + "'");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }
}
