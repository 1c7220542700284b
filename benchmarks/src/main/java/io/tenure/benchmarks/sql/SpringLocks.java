package io.tenure.benchmarks.sql;

import io.tenure.benchmarks.Operation;
import io.tenure.benchmarks.Subject;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The lock registry of Spring Integration, with the statements that its documentation advises for PostgreSQL. */
final class SpringLocks implements Subject {
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS int_lock (lock_key char(36) NOT NULL,"
            + " region varchar(100) NOT NULL, client_id char(36), created_date timestamp NOT NULL,"
            + " expired_after timestamp NOT NULL, PRIMARY KEY (lock_key, region))";

    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    private SpringLocks(DefaultLockRepository repository) {
        this.repository = repository;
        this.registry = new JdbcLockRegistry(repository, Duration.ofSeconds(30));
    }

    static Subject on(DataSource pool) {
        Sql.run(pool, TABLE);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new SpringLocks(repository);
    }

    @Override
    public String name() {
        return "Spring Integration";
    }

    @Override
    public Operation operation(int thread) {
        Lock lock = registry.obtain("spring-" + thread);
        return () -> {
            if (!lock.tryLock()) {
                throw new IllegalStateException("Nobody else has that lock, and still it was not to be had");
            }
            lock.unlock();
        };
    }

    @Override
    public void close() {
        repository.close();
    }
}
