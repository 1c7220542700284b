package io.tenure.redis;

import java.util.Comparator;
import java.util.List;

/**
 * What the set-up of the servers behind a {@link RedisLeaseStore} means for its leases and tokens, one finding for each
 * thing that was looked at, server by server. A snapshot; immutable. {@link #toString()} is made to be read by people.
 */
public final class DurabilityReport {
    private static final int MARGIN = 9;
    private static final int WIDTH = 100;

    private final List<Finding> findings;

    DurabilityReport(List<Finding> findings) {
        this.findings = List.copyOf(findings);
    }

    /** How bad it is, from the best to the worst. */
    public enum Grade {
        /** As it should be. */
        GOOD,
        /** Fit for most: something can be lost, rarely and little. */
        NOTE,
        /** The server does not let this user look, or this client cannot. */
        UNKNOWN,
        /** A crash, a restart or a fail-over makes two holders for a while; fences hold. */
        RISK,
        /** Leases or tokens are lost in ordinary operation, or nothing works at all. */
        DANGER
    }

    /**
     * One thing that was looked at.
     *
     * @param server which server; never credentials
     * @param setting what was read there, as {@code name=value}, a blank between several; {@code ?} for what is not known
     * @param meaning what it means for leases and tokens, in a sentence
     * @param advice what to set; empty when there is nothing to be done
     */
    public record Finding(String server, Grade grade, String setting, String meaning, String advice) {}

    /** All findings, those of one server together. Never empty. */
    public List<Finding> findings() {
        return findings;
    }

    /** The worst grade among the findings. */
    public Grade worst() {
        return findings.stream()
                .map(Finding::grade)
                .max(Comparator.naturalOrder())
                .orElse(Grade.UNKNOWN);
    }

    /** The findings of the worst grade there is. */
    List<Finding> dangers() {
        return findings.stream()
                .filter(finding -> finding.grade() == Grade.DANGER)
                .toList();
    }

    /** One paragraph for a warning: what was found, what it means, what to do. */
    static String inOneLine(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(text.length() == 0 ? "" : " ")
                    .append(finding.server())
                    .append(" has ")
                    .append(finding.setting())
                    .append(": ")
                    .append(finding.meaning())
                    .append(finding.advice().isEmpty() ? "" : " ")
                    .append(finding.advice());
        }
        return text.toString();
    }

    /** Each server with its worst grade, then its findings: the grade and what was read, what it means, what to set. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        List<String> servers = findings.stream().map(Finding::server).distinct().toList();
        for (String server : servers) {
            List<Finding> ofServer = findings.stream()
                    .filter(finding -> finding.server().equals(server))
                    .toList();
            text.append(server)
                    .append(": ")
                    .append(new DurabilityReport(ofServer).worst())
                    .append('\n');
            ofServer.forEach(finding -> append(text, finding));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Finding finding) {
        String grade = finding.grade().toString();
        text.append("  ").append(grade).append(" ".repeat(MARGIN - grade.length()));
        text.append(finding.setting()).append('\n');
        wrap(text, finding.meaning());
        wrap(text, finding.advice());
    }

    /** Lines that fit the width of most screens, below what was read. */
    private static void wrap(StringBuilder text, String sentence) {
        int column = WIDTH;
        for (String word : sentence.split(" ", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            if (column + 1 + word.length() > WIDTH) {
                column = MARGIN + 1;
                text.append(text.charAt(text.length() - 1) == '\n' ? "" : "\n").append(" ".repeat(column));
            }
            text.append(' ').append(word);
            column += 1 + word.length();
        }
        if (text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }
}
