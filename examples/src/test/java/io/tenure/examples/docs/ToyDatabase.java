package io.tenure.examples.docs;

import io.tenure.spi.Claim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A database, as far as a store of leases needs one: rows by name, transactions one after another, a clock of its own. */
final class ToyDatabase {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Row> rows = new TreeMap<>();
    private long now = 1_000;

    /** Runs {@code body} as one transaction, on the row of {@code name}, which is made when it is missing. */
    <T> T inTransaction(String name, Function<Row, T> body) {
        lock.lock();
        try {
            return body.apply(rows.computeIfAbsent(name, Row::new));
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code body} on a copy of the list of all rows, ordered by name. */
    <T> T inTransaction(Function<List<Row>, T> body) {
        lock.lock();
        try {
            return body.apply(new ArrayList<>(rows.values()));
        } finally {
            lock.unlock();
        }
    }

    /** The database's clock, in milliseconds: what {@code SELECT now()} would tell. */
    long now() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    void moveClock(long millis) {
        lock.lock();
        try {
            now += millis;
        } finally {
            lock.unlock();
        }
    }

    /** One name: who holds it and until when, the highest token minted, and who waits until when. */
    static final class Row {
        final String name;

        @Nullable
        Claim claim;

        long until;
        long tokens;
        final Map<String, Long> line = new LinkedHashMap<>();

        Row(String name) {
            this.name = name;
        }
    }
}
