package io.tenure.benchmarks.sql;

import io.tenure.benchmarks.Subject;
import javax.sql.DataSource;

/**
 * The least that a lock in a table can do: one statement that takes a free row, one that gives it back, both by the
 * database's clock and guarded by an id. No tokens, no waiters, nothing that ends in time.
 */
final class PlainStatements {
    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS plain_lock (name text PRIMARY KEY, holder text NOT NULL, expires_at timestamptz)";
    private static final String ACQUIRE = "INSERT INTO plain_lock AS l (name, holder, expires_at)"
            + " VALUES (?, ?, clock_timestamp() + interval '30 s') ON CONFLICT (name) DO UPDATE"
            + " SET holder = excluded.holder, expires_at = excluded.expires_at"
            + " WHERE l.expires_at IS NULL OR l.expires_at <= clock_timestamp()";
    private static final String RELEASE = "UPDATE plain_lock SET expires_at = NULL WHERE name = ? AND holder = ?";

    private PlainStatements() {}

    static Subject on(DataSource pool) {
        Sql.run(pool, TABLE);
        return Subject.of("two plain statements", thread -> {
            String name = "plain-" + thread;
            String holder = "holder-" + thread;
            return () -> {
                Sql.changeOne(pool, ACQUIRE, name, holder);
                Sql.changeOne(pool, RELEASE, name, holder);
            };
        });
    }
}
