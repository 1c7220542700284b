package io.tenure.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the diagram and the table in {@code docs/how-it-works.md} to the transition table that the machine goes by. */
class TransitionsPageTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolveSibling("docs")
            .resolve("how-it-works.md");
    /** Rewrites the page instead of comparing it. */
    private static final String UPDATE = "tenure.docs.update";

    private static final String BEGIN = "<!-- generated: transitions -->\n";
    private static final String END = "<!-- end of generated -->";

    @Test
    void the_page_shows_the_transitions_as_they_are() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertThat(begin).as("the place of the table").isBetween(BEGIN.length(), end);
        if (System.getProperty(UPDATE) != null) {
            page = page.substring(0, begin) + generated() + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }

        assertThat(page.substring(begin, end))
                .as("generated: mvn -pl core test -Dtest=TransitionsPageTest -D%s", UPDATE)
                .isEqualTo(generated());
    }

    private static String generated() {
        List<String> lines = new ArrayList<>(List.of("", "```mermaid", "stateDiagram-v2", "    [*] --> Waiting"));
        lines.addAll(arrows());
        lines.addAll(List.of("    Over --> [*]", "```", ""));
        for (Phase phase : Phase.values()) {
            lines.addAll(table(phase));
        }
        return String.join("\n", lines) + "\n";
    }

    /** One arrow for each pair of different phases, with the signals that may lead along it. */
    private static List<String> arrows() {
        Map<String, List<String>> signals = new LinkedHashMap<>();
        for (Transitions.Row row : Transitions.rows()) {
            row.to().stream()
                    .sorted()
                    .filter(to -> to != row.from())
                    .forEach(to -> signals.computeIfAbsent(
                                    "    " + shown(row.from()) + " --> " + shown(to), arrow -> new ArrayList<>())
                            .add(shown(row.on())));
        }
        return signals.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue()))
                .toList();
    }

    private static List<String> table(Phase phase) {
        List<Transitions.Row> rows =
                Transitions.rows().stream().filter(row -> row.from() == phase).toList();
        List<String> lines = new ArrayList<>(List.of(
                "**" + shown(phase) + "**", "", "| signal | what it means | leads to |", "| --- | --- | --- |"));
        rows.stream()
                .filter(row -> !isIgnored(row))
                .map(row -> "| " + shown(row.on()) + " | " + row.meaning() + " | "
                        + row.to().stream()
                                .sorted(Comparator.comparing((Phase to) -> to != phase)
                                        .thenComparing(Comparator.naturalOrder()))
                                .map(to -> to == phase ? "*" + shown(to) + "*" : shown(to))
                                .collect(Collectors.joining(", "))
                        + " |")
                .forEach(lines::add);
        String ignored = rows.stream()
                .filter(TransitionsPageTest::isIgnored)
                .map(row -> shown(row.on()))
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            lines.add("| " + ignored + " | changes nothing here | *" + shown(phase) + "* |");
        }
        lines.add("");
        return lines;
    }

    private static boolean isIgnored(Transitions.Row row) {
        return row.meaning().equals("no matter any more");
    }

    private static String shown(Phase phase) {
        return phase.name().charAt(0) + phase.name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }

    private static String shown(Class<?> signal) {
        return signal.getSimpleName();
    }
}
