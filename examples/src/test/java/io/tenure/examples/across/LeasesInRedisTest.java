package io.tenure.examples.across;

import io.tenure.TokenSource;
import java.sql.SQLException;

/** Leases in Redis, writes in PostgreSQL. */
class LeasesInRedisTest extends CrossingLaws {
    LeasesInRedisTest() {
        super(Crossing.LEASES_IN_REDIS);
    }

    @Override
    Instance openWritingBy(int port) {
        return Crossing.LEASES_IN_REDIS.open(REDIS.uri(), POSTGRES.url(port), role, TokenSource.STORE_CLOCK);
    }

    @Override
    int writtenTo() {
        return POSTGRES.port();
    }

    @Override
    String written() throws SQLException {
        return String.join(" ", POSTGRES.column("SELECT value FROM state WHERE name = '" + role + "'"));
    }

    @Override
    void loseLeases() {
        REDIS.cli().flushall();
    }

    @Override
    void loseMarks() throws SQLException {
        POSTGRES.execute("TRUNCATE tenure_fence");
    }
}
