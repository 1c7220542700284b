package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions of different time zones read the same time. */
class MariaDbTimeZoneTest {
    private static final Duration TTL = Duration.ofMinutes(1);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    private static HikariDataSource pool(String zone) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(MARIA.dataSource());
        config.setMaximumPoolSize(2);
        config.setConnectionInitSql("SET time_zone = '" + zone + "'");
        return new HikariDataSource(config);
    }

    private static LeaseRequest lock(String name, String who) {
        return new LeaseRequest(new Claim(name, who, who, 1, 0), LeaseKind.LOCK, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    @Test
    void law01_a_lease_is_one_lease_in_all_time_zones() throws SQLException {
        String name = UUID.randomUUID().toString();
        try (HikariDataSource east = pool("+05:00");
                HikariDataSource west = pool("-07:00");
                JdbcLeaseStore inTheEast = JdbcLeaseStore.over(east);
                JdbcLeaseStore inTheWest = JdbcLeaseStore.over(west)) {
            inTheEast.createSchema();
            Claim held = Asking.granted(inTheWest, lock(name, "west"));

            Acquisition other = Asking.answer(inTheEast.acquire(lock(name, "east")));

            assertThat(other).isInstanceOfSatisfying(Acquisition.Denied.class, denied -> {
                assertThat(denied.current().token()).isEqualTo(held.token());
                assertThat(denied.current().remaining()).isBetween(TTL.dividedBy(2), TTL);
            });
            assertThat(Asking.answer(
                            inTheEast.renew(List.of(Asking.renewing(held))).get(0)))
                    .isInstanceOf(Renewal.Renewed.class);
            assertThat(Asking.answer(inTheWest.release(Asking.releasing(held)))).isTrue();

            Claim next = Asking.granted(inTheEast, lock(name, "east"));
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(Asking.answer(inTheWest.acquire(lock(name, "west")))).isInstanceOf(Acquisition.Denied.class);
        }
    }
}
