package io.tenure.benchmarks;

import java.util.Locale;

/** One figure: a line of the results. */
record Row(String scenario, String subject, Metric metric, int round, double value) {
    static final String HEAD = "scenario,subject,metric,round,value,unit";

    /** What is measured in each round. */
    enum Metric {
        THROUGHPUT("1/s"),
        P50("us"),
        P99("us");

        private final String unit;

        Metric(String unit) {
            this.unit = unit;
        }
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "\"%s\",\"%s\",%s,%d,%.3f,%s",
                scenario,
                subject,
                metric.name().toLowerCase(Locale.ROOT),
                round,
                value,
                metric.unit);
    }
}
