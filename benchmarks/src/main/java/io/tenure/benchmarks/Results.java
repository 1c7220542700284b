package io.tenure.benchmarks;

import io.tenure.benchmarks.Row.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The figures of one run, and the table that is made of them. */
final class Results {
    private final List<Row> rows = new ArrayList<>();

    void add(List<Row> measured) {
        rows.addAll(measured);
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** One subject's throughput by another's of the same round. */
    Spread ratio(String scenario, String subject, String against) {
        double[] above = values(scenario, subject, Metric.THROUGHPUT);
        double[] below = values(scenario, against, Metric.THROUGHPUT);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < above.length; round++) {
            ratios.add(above[round] / below[round]);
        }
        return Spread.of(ratios.stream().mapToDouble(Double::doubleValue));
    }

    /** In the order of the rounds. */
    private double[] values(String scenario, String subject, Metric metric) {
        return rows.stream()
                .filter(row ->
                        row.scenario().equals(scenario) && row.subject().equals(subject) && row.metric() == metric)
                .mapToDouble(Row::value)
                .toArray();
    }

    String table(Scenario scenario) {
        StringBuilder table = new StringBuilder();
        line(table, "%n%-46s %9s %9s %9s  %s", scenario.name(), "1/s", "p50 us", "p99 us", "of " + scenario.floor());
        for (Subject subject : scenario.subjects()) {
            line(
                    table,
                    "  %-44s %9.0f %9.0f %9.0f  %s",
                    subject.name(),
                    median(scenario, subject, Metric.THROUGHPUT),
                    median(scenario, subject, Metric.P50),
                    median(scenario, subject, Metric.P99),
                    ratio(scenario.name(), subject.name(), scenario.floor()).asRatio());
        }
        for (Target target : scenario.targets()) {
            Spread ratio = ratio(scenario.name(), target.subject(), target.against());
            line(
                    table,
                    "  target: %s >= %.2f x %s: %s, %s",
                    target.subject(),
                    target.least(),
                    target.against(),
                    ratio.asRatio(),
                    ratio.median() >= target.least() ? "met" : "MISSED");
        }
        return table.toString();
    }

    private double median(Scenario scenario, Subject subject, Metric metric) {
        return Spread.of(DoubleStream.of(values(scenario.name(), subject.name(), metric)))
                .median();
    }

    private static void line(StringBuilder table, String format, Object... arguments) {
        table.append(String.format(Locale.ROOT, format + "%n", arguments));
    }

    void write(Path file) throws IOException {
        Files.write(
                file,
                Stream.concat(Stream.of(Row.HEAD), rows.stream().map(Row::line)).toList());
    }
}
