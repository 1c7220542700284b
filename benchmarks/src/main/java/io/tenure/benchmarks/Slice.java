package io.tenure.benchmarks;

import java.util.Arrays;

/** What one thread did in one turn: how long each operation took, in nanoseconds, and all of them together. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too long to be copied without need
record Slice(long[] nanos, long elapsed) {
    /** Repeats {@code operation} until {@code length} nanoseconds are over, at least once. */
    static Slice of(Operation operation, long length) throws Exception {
        long[] nanos = new long[1_024];
        int count = 0;
        long start = System.nanoTime();
        long before = start;
        do {
            operation.once();
            long now = System.nanoTime();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = now - before;
            before = now;
        } while (before - start < length);
        return new Slice(Arrays.copyOf(nanos, count), before - start);
    }

    double perSecond() {
        return nanos.length * 1e9 / elapsed;
    }
}
