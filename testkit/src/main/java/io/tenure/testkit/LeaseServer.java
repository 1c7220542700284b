package io.tenure.testkit;

import io.tenure.spi.LeaseStore;
import java.time.Duration;

/**
 * What the contracts need to know of a server and its clock. Written by whoever tests a store; called on the thread of the
 * test. What only some servers offer is an interface of its own,
 * which the contract of that capability asks for.
 *
 * <p>The contracts use names that no other test uses, so one server can serve all of them, one after another or at the
 * same time, and never has to be emptied.
 */
public interface LeaseServer extends AutoCloseable {
    /** Another client of the server, as another process would open it. The contracts close it. */
    LeaseStore connect();

    /**
     * Returns when the server's clock has moved on by at least {@code span}: by hand where that is possible, by waiting
     * where it is not.
     */
    void elapse(Duration span);

    /**
     * The unit of the laws' time. Leases that are to expire last this long or a few times that; so it is short, but long
     * beside a few round trips and the pauses of a busy machine: 500 ms, say, where time has to be waited for.
     */
    Duration shortTtl();

    /** Lets go of what the test needed of the server; called after each test, when all clients have been closed. */
    @Override
    default void close() {}

    /** A server that can be made to lose data, and whose clock takes part in minting tokens. Called on the test's thread. */
    interface LosesAll extends LeaseServer {
        /** Loses all leases, counters, marks and lines of every name, as an emptied server would. */
        void loseEverything();

        /** Loses counter and mark of the canonical name {@code name}, and nothing else. */
        void loseTokens(String name);
    }

    /** One that keeps counter and mark apart, and can lose either. Called on the test's thread. */
    interface LosesData extends LosesAll {
        @Override
        default void loseTokens(String name) {
            loseCounter(name);
            loseMark(name);
        }

        /** Loses the counter of the canonical name {@code name}, and nothing else. */
        void loseCounter(String name);

        /** Loses the mark of the canonical name {@code name}, and nothing else. */
        void loseMark(String name);
    }

    /** A server that forgets the tokens of operations. Called on the test's thread. */
    interface ForgetsLocks extends LeaseServer {
        /** Another client, which keeps the tokens of operations for {@code retention} after their last use. */
        LeaseStore connect(Duration retention);
    }

    /** A server on which others than Tenure can put a lease. Called on the test's thread. */
    interface HoldsForeignLeases extends LeaseServer {
        /** Puts a lease with exactly this value on the canonical name {@code name}, as another program would. */
        void plant(String name, String value, Duration ttl);
    }

    /** A server that keeps state under the fence of the leases it keeps. Called on the test's thread. */
    interface GuardsState extends LosesData {
        /** A piece of state of the server, written through {@code client} under the fence of the lease {@code name}. */
        GuardedCell cell(LeaseStore client, String name);
    }

    /** One value under a fence; empty before the first write. Called on the test's thread. */
    interface GuardedCell {
        /**
         * Writes under {@code token}.
         *
         * @throws io.tenure.StaleTokenException when the fence refuses the token
         * @throws io.tenure.StoreException when the server failed
         */
        void write(long token, String value);

        /** Tries to write under {@code token} what the server refuses after the check, and throws what comes of it. */
        void writeWhatFails(long token);

        /**
         * Claims the fence.
         *
         * @throws io.tenure.StaleTokenException when the fence refuses the token
         */
        void claim(long token);

        /** The value. */
        String read();
    }
}
