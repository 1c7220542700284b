package io.tenure.benchmarks;

import java.io.IOException;
import java.util.List;

/** A server of our own, and the scenarios that are played on it. */
public interface Arena extends AutoCloseable {
    /** What it runs on and how that is set, for people. */
    String about();

    /** All of them, ready to run. */
    List<Scenario> scenarios();

    @Override
    void close() throws IOException;
}
