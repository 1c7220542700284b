package io.tenure.examples.across;

import io.tenure.examples.LocalPostgres;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcLeaseStore;
import java.sql.SQLException;

/** What is there before the first instance starts. */
final class Tables {
    private Tables() {}

    static void make(LocalPostgres postgres) throws SQLException {
        postgres.execute(Crossing.TABLE);
        JdbcFence.createSchema(LocalPostgres.source(postgres.url()));
        try (JdbcLeaseStore store = JdbcLeaseStore.over(LocalPostgres.source(postgres.url()))) {
            store.createSchema();
        }
    }
}
