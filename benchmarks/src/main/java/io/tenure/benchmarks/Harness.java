package io.tenure.benchmarks;

import io.tenure.benchmarks.Row.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Lets the subjects of a scenario take turns. Turns are short and many, and each round begins with another subject: what
 * else goes on on the machine, and what a server does now and then, hits all alike. So a ratio of two subjects is taken
 * within one round.
 *
 * @param warmRounds rounds that are not counted
 */
record Harness(int warmRounds, int rounds, Duration slice) {
    /** As many times as long as one that counts: code is compiled and plans are made in them. */
    private static final int WARM_FACTOR = 5;

    List<Row> run(Scenario scenario) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(scenario.threads());
        try {
            List<List<Operation>> operations = scenario.subjects().stream()
                    .map(subject -> operations(scenario, subject))
                    .toList();
            for (int i = 0; i < warmRounds; i++) {
                for (List<Operation> each : operations) {
                    turn(threads, each, slice.toNanos() * WARM_FACTOR);
                }
            }
            List<Row> rows = new ArrayList<>();
            int subjects = operations.size();
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < subjects; i++) {
                    int next = (round + i) % subjects;
                    List<Slice> slices = turn(threads, operations.get(next), slice.toNanos());
                    String subject = scenario.subjects().get(next).name();
                    rows.addAll(rows(scenario.name(), subject, round, slices));
                }
            }
            return rows;
        } finally {
            threads.shutdownNow();
            scenario.subjects().forEach(Subject::close);
        }
    }

    private static List<Operation> operations(Scenario scenario, Subject subject) {
        List<Operation> operations = new ArrayList<>();
        for (int thread = 0; thread < scenario.threads(); thread++) {
            operations.add(subject.operation(thread));
        }
        return operations;
    }

    private static List<Slice> turn(ExecutorService threads, List<Operation> operations, long length) throws Exception {
        List<Callable<Slice>> tasks = new ArrayList<>();
        operations.forEach(operation -> tasks.add(() -> Slice.of(operation, length)));
        List<Slice> slices = new ArrayList<>();
        for (Future<Slice> done : threads.invokeAll(tasks)) {
            slices.add(done.get());
        }
        return slices;
    }

    private static List<Row> rows(String scenario, String subject, int round, List<Slice> slices) {
        double throughput = slices.stream().mapToDouble(Slice::perSecond).sum();
        double[] micros = slices.stream()
                .flatMapToLong(slice -> Arrays.stream(slice.nanos()))
                .mapToDouble(nanos -> nanos / 1e3)
                .sorted()
                .toArray();
        return List.of(
                new Row(scenario, subject, Metric.THROUGHPUT, round, throughput),
                new Row(scenario, subject, Metric.P50, round, Spread.at(micros, 0.5)),
                new Row(scenario, subject, Metric.P99, round, Spread.at(micros, 0.99)));
    }
}
