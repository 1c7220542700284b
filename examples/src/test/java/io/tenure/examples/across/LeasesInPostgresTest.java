package io.tenure.examples.across;

import io.tenure.TokenSource;
import java.sql.SQLException;
import java.util.Objects;

/** Leases in PostgreSQL, writes in Redis. */
class LeasesInPostgresTest extends CrossingLaws {
    LeasesInPostgresTest() {
        super(Crossing.LEASES_IN_POSTGRES);
    }

    @Override
    Instance openWritingBy(int port) {
        return Crossing.LEASES_IN_POSTGRES.open(REDIS.uri(port), POSTGRES.url(), role, TokenSource.STORE_CLOCK);
    }

    @Override
    int writtenTo() {
        return REDIS.port();
    }

    @Override
    String written() {
        return Objects.requireNonNullElse(REDIS.cli().get(Crossing.valueKey(role)), "");
    }

    @Override
    void loseLeases() throws SQLException {
        POSTGRES.execute("TRUNCATE tenure_lease");
    }

    @Override
    void loseMarks() {
        REDIS.cli().flushall();
    }
}
