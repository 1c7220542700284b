package io.tenure.benchmarks;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** Figures of many rounds: the middle one, and between which values half of them lie. */
record Spread(double low, double median, double high) {
    /** @throws IllegalArgumentException when there are none */
    static Spread of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("There is no figure");
        }
        return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    /** Between two values of the list where the share falls between them. */
    static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    String asRatio() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, low, high);
    }
}
