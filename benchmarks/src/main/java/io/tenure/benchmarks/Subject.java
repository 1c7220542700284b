package io.tenure.benchmarks;

/** One way to do what a scenario asks for. */
public interface Subject extends AutoCloseable {
    /** For people and for the table, unique in its scenario. */
    String name();

    /** What the thread of that number, from 0 on, repeats. Asked for once a thread. */
    Operation operation(int thread);

    @Override
    default void close() {}

    /** A subject that holds nothing that has to be closed. */
    static Subject of(String name, Workers workers) {
        return new Subject() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Operation operation(int thread) {
                return workers.operation(thread);
            }
        };
    }

    /** Makes what each thread repeats. */
    @FunctionalInterface
    interface Workers {
        /** For the thread of that number. */
        Operation operation(int thread);
    }
}
