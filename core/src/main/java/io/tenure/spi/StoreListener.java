package io.tenure.spi;

import io.tenure.TenureEvent;

/** Where a store reports what is no answer to a request. Thread-safe; does not block. */
@FunctionalInterface
public interface StoreListener {
    /** Takes a {@link TenureEvent.StoreWarning}, a {@link TenureEvent.FenceRejected} or the like. */
    void report(TenureEvent event);
}
