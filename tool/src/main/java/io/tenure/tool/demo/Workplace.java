package io.tenure.tool.demo;

import io.tenure.Fence;
import io.tenure.spi.LeaseStore;

/** What a contender works with: where its leases are, and what it writes through the fence. */
public interface Workplace extends AutoCloseable {
    /** The store; whoever opens a Tenure over it closes it. */
    LeaseStore store();

    /** The fences that a leader has to claim before it writes. */
    Fence[] claims();

    /**
     * Writes {@code value} in one of the {@link Backend#ways}.
     *
     * @throws io.tenure.StaleTokenException when {@code token} is not current; nothing was written
     * @throws io.tenure.StoreException when it could not be written
     */
    void write(String way, long token, String value);

    /** To be called once the store is closed. */
    @Override
    void close();
}
