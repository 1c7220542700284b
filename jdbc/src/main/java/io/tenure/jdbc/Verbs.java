package io.tenure.jdbc;

import io.tenure.LeaseRecord;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a store does, in the SQL of one database. Thread-safe. What one remembers makes it quicker, and nothing else. */
interface Verbs {
    Acquisition acquire(Session session, LeaseRequest request) throws SQLException;

    Renewal renew(Session session, RenewRequest request) throws SQLException;

    /** The answers to many, in order; empty for each that has to be asked for alone. */
    List<Optional<Renewal>> renewAll(Session session, List<RenewRequest> requests) throws SQLException;

    boolean release(Session session, ReleaseRequest request) throws SQLException;

    Optional<LeaseRecord> find(Session session, String name) throws SQLException;

    List<LeaseRecord> list(Session session, String prefix, int limit) throws SQLException;

    boolean evict(Session session, LeaseRecord seen) throws SQLException;

    /** Takes {@code waiter} out of the line, where lines are told of releases; whether it stood there. */
    default boolean leave(Session session, String name, String waiter) throws SQLException {
        return false;
    }

    /** Deletes some rows of locks whose tokens are not kept any longer; how many there were to go. */
    int forgetSome(Session session) throws SQLException;
}
