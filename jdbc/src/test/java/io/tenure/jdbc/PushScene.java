package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.LeaseRecord;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Somebody who holds leases on PostgreSQL, and others who wait for them. */
abstract class PushScene {
    static final Duration TTL = Duration.ofSeconds(60);
    static final Duration LINE = Duration.ofSeconds(20);

    static final AtomicInteger NUMBERS = new AtomicInteger();

    final CountedStatements counted = new CountedStatements();
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<JdbcLeaseStore> opened = new ArrayList<>();
    JdbcLeaseStore holder;

    abstract PooledStores stores();

    @BeforeEach
    void open() {
        holder = open(JdbcLeaseStore.over(counted.over(stores().pool())));
    }

    @AfterEach
    void close() {
        opened.forEach(JdbcLeaseStore::close);
    }

    /** Somebody who waits: registered, in line, and past the wake that tells that pushes arrive from now on. */
    final class Waiter {
        final JdbcLeaseStore store;
        final String incarnation = UUID.randomUUID().toString().replace("-", "");
        final String name;
        final List<Duration> wakes = new CopyOnWriteArrayList<>();
        final Wakeups.Registration registration;

        Waiter(String name) {
            this(name, JdbcLeaseStore.over(stores().pool()));
        }

        Waiter(String name, JdbcLeaseStore store) {
            this.name = name;
            this.store = open(store);
            registration = store.wakeups().await(name, incarnation, wakes::add);
            await().until(() -> store.wakeups().isLive() && wakes.contains(Duration.ZERO));
            ask();
            wakes.clear();
        }

        Acquisition.Denied ask() {
            return PushScene.ask(store, name, incarnation);
        }
    }

    JdbcLeaseStore open(JdbcLeaseStore store) {
        opened.add(store);
        return store;
    }

    static String fresh() {
        return "pushed" + NUMBERS.incrementAndGet();
    }

    static LeaseRequest request(String name, String incarnation, Duration lineFor) {
        Claim claim = new Claim(name, "holder " + incarnation, incarnation, NUMBERS.incrementAndGet(), 0);
        return new LeaseRequest(claim, LeaseKind.ELECTION, TTL, 0, Takeover.NONE, lineFor);
    }

    Claim hold(String name) {
        LeaseRequest request = request(name, "holding", Duration.ZERO);
        Acquisition answer = get(holder.acquire(request));
        if (answer instanceof Acquisition.Granted granted) {
            return request.claim().withToken(granted.token());
        }
        // the only holder of these tests has it from before
        LeaseRecord own = ((Acquisition.Denied) answer).current();
        release(new Claim(name, own.holder(), own.incarnation(), own.attempt(), own.token()));
        return hold(name);
    }

    void release(Claim claim) {
        assertThat(get(holder.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN))))
                .isTrue();
    }

    static Acquisition.Denied ask(JdbcLeaseStore store, String name, String incarnation) {
        Acquisition answer = get(store.acquire(request(name, incarnation, LINE)));
        assertThat(answer).isInstanceOf(Acquisition.Denied.class);
        return (Acquisition.Denied) answer;
    }

    String line(String name) throws SQLException {
        try (Connection connection = stores().pool().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT waiters FROM tenure_lease WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
