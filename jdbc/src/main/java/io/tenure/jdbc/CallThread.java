package io.tenure.jdbc;

/** On which threads the calls of a {@link JdbcLeaseStore} run. */
public enum CallThread {
    /**
     * On threads of the store's. What a data source remembers by thread (a transaction, a tenant, a role for reading only)
     * has no part in leases then, and whoever asks is answered in time, however long the data source takes to give a
     * connection.
     */
    STORE,

    /**
     * That of a caller who does nothing but wait for one answer: {@code tryAcquire()}, {@code run} and {@code call} without
     * a wait, {@code release()}. Saves two changes of threads a call, which is much beside a database next door, and nothing
     * to speak of beside one that is a millisecond away. Everything else (waiting, renewals, elections, asynchronous calls)
     * stays on the store's threads, and so do calls of a thread that is interrupted, and all with H2, whose files do not
     * survive an interrupt.
     *
     * <p>In return the caller answers for the data source: it has to give any thread connections to the same database, which
     * commit each statement and belong to no transaction; one with auto-commit off is refused, for good. And the caller waits
     * for a connection as long as the data source lets it wait, whatever the bound of the call.
     */
    CALLER
}
