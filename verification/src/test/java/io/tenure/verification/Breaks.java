package io.tenure.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The deliberate breaks on record, {@code verification/breaks/*.txt}, and which tests caught them, {@code results.txt}
 * beside them. A record is a head and a difference:
 *
 * <pre>
 * [id] law 12, 16
 * core/src/main/java/io/tenure/...
 * What the mistake is.
 * - the text that is there
 * + what takes its place
 * </pre>
 */
final class Breaks {
    private static final Path FOLDER = SourceTree.root().resolve("verification/breaks");
    private static final Path RESULTS = FOLDER.resolve("results.txt");
    private static final Pattern HEAD = Pattern.compile("\\[([a-z0-9-]+)] law (\\d+(?:, \\d+)*)");

    private Breaks() {}

    /** All of them, in the order of their laws. */
    static List<Break> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.getFileName().toString().startsWith("law"))
                    .sorted()
                    .flatMap(file -> read(SourceTree.read(file)).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Break> read(String text) {
        return Stream.of(text.split("\\R(?=\\[)"))
                .map(String::strip)
                .filter(part -> part.startsWith("["))
                .map(Breaks::one)
                .toList();
    }

    private static Break one(String record) {
        List<String> lines = record.lines().toList();
        var head = HEAD.matcher(lines.get(0));
        if (!head.matches() || lines.size() < 4) {
            throw new IllegalStateException("This is no break: " + record);
        }
        List<Integer> laws =
                Stream.of(head.group(2).split(", ")).map(Integer::valueOf).toList();
        return new Break(head.group(1), laws, lines.get(1), lines.get(2), side("-", lines), side("+", lines));
    }

    private static String side(String sign, List<String> lines) {
        return String.join(
                        "\n",
                        lines.stream()
                                .filter(line -> line.startsWith(sign))
                                .map(line -> line.length() < 2 ? "" : line.substring(2))
                                .toList())
                .strip();
    }

    /** For each break the tests that caught it, as {@code Class.method}. */
    static Map<String, Set<String>> results() {
        Map<String, Set<String>> results = new TreeMap<>();
        if (Files.exists(RESULTS)) {
            for (String line : SourceTree.read(RESULTS).lines().toList()) {
                String[] words = line.split(" ");
                results.computeIfAbsent(words[0], id -> new TreeSet<>()).add(words[1]);
            }
        }
        return results;
    }

    /** Keeps what {@code caught} says of its breaks, and what was known of the others that there are. */
    static void record(Map<String, Set<String>> caught, Collection<String> ids) {
        Map<String, Set<String>> results = results();
        results.putAll(caught);
        results.keySet().retainAll(ids);
        List<String> lines = new ArrayList<>();
        results.forEach((id, tests) -> tests.forEach(test -> lines.add(id + " " + test)));
        try {
            Files.writeString(RESULTS, String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
