package io.tenure.benchmarks;

import java.util.List;

/**
 * One question, and the subjects that answer it in turn, the floor first: what all others are put in relation to.
 *
 * @param threads how many do it at once
 */
public record Scenario(String name, int threads, List<Subject> subjects, List<Target> targets) {
    /** Copies the lists. */
    public Scenario {
        subjects = List.copyOf(subjects);
        targets = List.copyOf(targets);
    }

    String floor() {
        return subjects.get(0).name();
    }
}
