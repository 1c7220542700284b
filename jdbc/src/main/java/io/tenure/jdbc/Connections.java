package io.tenure.jdbc;

import io.tenure.StoreException;
import javax.sql.DataSource;

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
     * Takes one on a thread that is not the store's, where a data source may give that of a transaction which is under way
     * there: what is in one does not commit each statement.
     *
     * @throws StoreException a permanent one when it may be in a transaction
     */
    static OwnConnection ofNobodysTransaction(DataSource source) throws NotSentException {
        OwnConnection own = OwnConnection.of(source);
        if (!own.cameCommitting()) {
            own.close();
            throw StoreException.permanent(
                    "The data source gave a connection with auto-commit off to the thread of a caller:"
                            + " it may be that of a transaction of the caller's, in which a lease must not be. Nothing was sent. Give"
                            + " the store a data source whose connections commit each statement and are in no transaction, or leave"
                            + " calls on its own threads (JdbcStoreOptions.callsOn(STORE)).");
        }
        return own;
    }
}
