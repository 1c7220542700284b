package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StatementWatchTest {
    private static final Duration PATIENCE = Duration.ofMillis(40);
    private static final Duration LOOKS = Duration.ofMillis(10);

    private final CountDownLatch cancelled = new CountDownLatch(1);

    /** By a driver that is not PostgreSQL's own. */
    private PreparedStatement statement() {
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> false);
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("cancel")) {
                        cancelled.countDown();
                    }
                    return method.getName().equals("getConnection") ? connection : null;
                });
    }

    @Test
    void law10_what_takes_too_long_is_given_up_and_what_is_over_is_left_alone() throws Exception {
        try (StatementWatch watch = new StatementWatch(StatementWatch.daemons("watch"), PATIENCE, LOOKS)) {
            OwnConnection.Limit over = watch.begin();
            over.applyTo(statement());
            assertThat(over.end()).isTrue();
            assertThat(cancelled.await(10 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("given up")
                    .isFalse();

            OwnConnection.Limit running = watch.begin();
            running.applyTo(statement());

            assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(running.end()).as("the server has heard it").isTrue();
        }
    }

    @Test
    void law10_a_thread_that_is_not_to_be_had_leaves_the_bound_of_later_calls() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch failed = new CountDownLatch(1);
        ThreadFactory scarce = task -> {
            if (asked.incrementAndGet() == 2) {
                failed.countDown();
                throw new OutOfMemoryError("unable to create native thread");
            }
            return StatementWatch.daemons("watch").newThread(task);
        };
        try (StatementWatch watch = new StatementWatch(scarce, PATIENCE, LOOKS)) {
            OwnConnection.Limit unlucky = watch.begin();
            unlucky.applyTo(statement());
            assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(unlucky.end()).as("nobody knows what became of it").isFalse();

            applied(watch);

            assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void applied(StatementWatch watch) throws SQLException {
        watch.begin().applyTo(statement());
    }
}
