package io.tenure.benchmarks;

/** What is done again and again, and timed. */
@FunctionalInterface
public interface Operation {
    /**
     * Does it once.
     *
     * @throws Exception when it did not work, which ends the whole run
     */
    void once() throws Exception;
}
