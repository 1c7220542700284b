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
     * That of a caller who does nothing but wait for one answer: {@code tryAcquire()}; {@code run}, {@code call}, {@code runIfFree}
     * and {@code callIfFree} without a wait; {@code release()} and {@code close()} of what was acquired. Saves two changes of
     * threads a call, which is much beside a database on the same machine, and nothing to speak of beside one that is a
     * millisecond away. Everything else (waiting, renewals, elections, asynchronous calls) stays on the store's threads, and so
     * do its first call, which finds out what database there is, calls of a thread that is interrupted, and all with H2, whose
     * files do not survive an interrupt.
     *
     * <p>In return the caller answers for the data source: it has to give every thread connections to the same database. One
     * that comes with auto-commit off may be that of a transaction of the caller's: it is left alone, the call goes to a thread
     * of the store's, and a {@link io.tenure.TenureEvent.StoreWarning} tells so once. And the caller waits for a connection as
     * long as the data source lets it wait, whatever the bound of the call.
     */
    CALLER
}
