package io.tenure.benchmarks.sql;

import io.tenure.benchmarks.Subject;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock by its JdbcTemplate provider, on the database's time. */
final class ShedLocks {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) NOT NULL PRIMARY KEY,"
            + " lock_until timestamp NOT NULL, locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";
    private static final Duration MOST = Duration.ofSeconds(30);

    private ShedLocks() {}

    static Subject on(DataSource pool) {
        Sql.run(pool, TABLE);
        LockProvider provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
        return Subject.of("ShedLock", thread -> {
            String name = "shedlock-" + thread;
            return () -> provider.lock(new LockConfiguration(Instant.now(), name, MOST, Duration.ZERO))
                    .orElseThrow()
                    .unlock();
        });
    }
}
