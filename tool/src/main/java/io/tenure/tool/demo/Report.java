package io.tenure.tool.demo;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** What was measured, and which claims were checked and held. Not thread-safe. */
final class Report {
    /** What became of a claim. */
    enum Verdict {
        OK("ok"),
        FAILED("FAILED"),
        UNCHECKED("NOT SEEN");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private final Pace pace;
    private final Map<Claim, Verdict> verdicts = new EnumMap<>(Claim.class);
    private final Map<Claim, String> measures = new EnumMap<>(Claim.class);
    private final Map<Claim, String> failures = new EnumMap<>(Claim.class);

    Report(Pace pace) {
        this.pace = pace;
    }

    /**
     * Takes the outcome of one check. A claim that is checked several times holds when all of them held.
     *
     * @param seen what was seen, told when the check failed
     */
    void check(Claim claim, boolean held, String seen) {
        if (!held) {
            verdicts.put(claim, Verdict.FAILED);
            failures.putIfAbsent(claim, seen);
        } else {
            verdicts.putIfAbsent(claim, Verdict.OK);
        }
    }

    /** Adds what was measured on the way. */
    void measure(Claim claim, String value) {
        measures.put(claim, value);
    }

    Verdict verdict(Claim claim) {
        return verdicts.getOrDefault(claim, Verdict.UNCHECKED);
    }

    /** 0 only when every claim was checked, and held. */
    int exitCode() {
        return count(Verdict.OK) == Claim.values().length ? 0 : 1;
    }

    void print(Screen screen) {
        screen.act("Checked", "And measured on the way.");
        for (Claim claim : Claim.values()) {
            screen.verdict(
                    verdict(claim), claim.text(pace), failures.getOrDefault(claim, measures.getOrDefault(claim, "")));
        }
        screen.text(count(Verdict.OK) + " of " + Claim.values().length + " claims were checked and held.");
    }

    private long count(Verdict wanted) {
        return Arrays.stream(Claim.values())
                .filter(claim -> verdict(claim) == wanted)
                .count();
    }
}
