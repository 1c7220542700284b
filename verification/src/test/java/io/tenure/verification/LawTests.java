package io.tenure.verification;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the tests that are named after laws and cases, in the sources of all modules. */
final class LawTests {
    private static final Pattern PARENT = Pattern.compile("\\b(?:extends|implements)\\s+([\\w.]+)");

    private LawTests() {}

    /** Those whose name is {@code kind}, two digits and a sentence; {@code law} or {@code case}. */
    static List<LawTest> named(String kind) {
        Pattern test = Pattern.compile("\\b(" + kind + "\\d\\d_\\w+)\\s*\\(");
        Map<String, Set<String>> methods = new TreeMap<>();
        Map<String, Set<String>> parents = new TreeMap<>();
        for (Path file : SourceTree.allSources()) {
            String code = TextRules.codeOf(SourceTree.read(file));
            String type = file.getFileName().toString().replace(".java", "");
            matches(test, code)
                    .forEach(method -> methods.computeIfAbsent(type, key -> new TreeSet<>())
                            .add(method));
            matches(PARENT, code)
                    .forEach(parent -> parents.computeIfAbsent(type, key -> new TreeSet<>())
                            .add(parent));
        }
        List<LawTest> all = new ArrayList<>();
        methods.forEach((type, names) -> {
            List<String> runBy = runners(type, parents);
            names.forEach(method -> all.add(new LawTest(type, method, runBy)));
        });
        all.sort(Comparator.comparing(LawTest::number)
                .thenComparing(LawTest::type)
                .thenComparing(LawTest::method));
        return all;
    }

    /** The classes by the name of tests that are, or extend, or nest what is written in {@code type}. */
    private static List<String> runners(String type, Map<String, Set<String>> parents) {
        return parentsAndAll(type, parents).stream()
                .filter(name -> name.endsWith("Test"))
                .sorted()
                .toList();
    }

    private static Set<String> parentsAndAll(String type, Map<String, Set<String>> parents) {
        Set<String> reached = new HashSet<>(Set.of(type));
        boolean grew = true;
        while (grew) {
            grew = parents.entrySet().stream()
                            .filter(entry -> entry.getValue().stream().anyMatch(reached::contains))
                            .filter(entry -> reached.add(entry.getKey()))
                            .count()
                    > 0;
        }
        return reached;
    }

    private static Set<String> matches(Pattern pattern, String code) {
        Set<String> found = new TreeSet<>();
        for (Matcher matcher = pattern.matcher(code); matcher.find(); ) {
            String name = matcher.group(1);
            found.add(name.substring(name.lastIndexOf('.') + 1));
        }
        return found;
    }
}
