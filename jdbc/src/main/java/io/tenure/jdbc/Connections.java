package io.tenure.jdbc;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

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
     * The same for a call that is first tried on a thread that is not the store's, where a data source may give the connection
     * of a transaction which is under way there: one that is in a transaction does not commit each statement.
     *
     * @param untouched told of such a one, which goes back as it came
     * @return rejects such a one, by a {@link RejectedExecutionException}, when it is the first
     */
    static Connections onceOfNobodysTransaction(Connections any, Runnable untouched) {
        AtomicBoolean tried = new AtomicBoolean();
        return () -> {
            OwnConnection own = any.take();
            if (tried.compareAndSet(false, true) && !own.cameCommitting()) {
                own.close();
                untouched.run();
                throw new RejectedExecutionException("the connection of this thread may be in a transaction");
            }
            return own;
        };
    }
}
