package io.tenure.jdbc;

import io.tenure.StoreException;

/** Where connections of a store come from. */
@FunctionalInterface
interface Connections {
    /**
     * Takes one. How long that may take is up to the data source.
     *
     * @throws NotSentException when there was none to be had
     */
    OwnConnection take() throws NotSentException;

    /**
     * The same for a thread that is not the store's, where a data source may give the connection of a transaction which is
     * under way there: one that is in a transaction does not commit each statement. It is refused for good.
     *
     * @param name the lease that it is for
     */
    static Connections ofNobodysTransaction(Connections any, String name) {
        return () -> {
            OwnConnection own = any.take();
            if (!own.cameCommitting()) {
                own.close();
                throw StoreException.permanent(
                        "For '" + name + "' the data source gave the thread of a caller a connection with"
                                + " auto-commit off: it may be that of a transaction of the caller's, in which a lease must not be."
                                + " Nothing was sent. Give the store a data source whose connections commit each statement and are in"
                                + " no transaction, or leave calls on its own threads (JdbcStoreOptions.callsOn(STORE)).");
            }
            return own;
        };
    }
}
