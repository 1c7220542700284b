package io.tenure.verification;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for documents. Each answers with what breaks it. */
final class DocRules {
    private static final String UPDATE =
            "mvn -q -pl verification -am test -Dtest=DocsTest -Dsurefire.failIfNoSpecifiedTests=false -Dtenure.docs.update";
    private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");

    private DocRules() {}

    /** Java that nothing compiles, markers that lead nowhere, and blocks that differ from the code they show. */
    static List<String> snippets(List<Path> documents, Regions regions) {
        List<String> broken = new ArrayList<>(regions.broken());
        for (Path document : documents) {
            Markdown markdown = Markdown.of(document);
            broken.addAll(markdown.strayMarkers());
            for (Markdown.CodeBlock block : markdown.codeBlocks()) {
                complaint(block, regions)
                        .ifPresent(text -> broken.add(markdown.name() + ":" + (block.begin() + 1) + " " + text));
            }
        }
        return broken;
    }

    private static Optional<String> complaint(Markdown.CodeBlock block, Regions regions) {
        if (block.region().isEmpty()) {
            return block.language().equals("java")
                    ? Optional.of("is Java without a marker: show a region of code that is compiled and run, by a line"
                            + " <!-- snippet: path/from/root/File.java#name --> before it")
                    : Optional.empty();
        }
        String name = block.region().get();
        Optional<String> text = regions.text(name);
        if (text.isEmpty()) {
            return Optional.of("shows " + name + ", which is no region");
        }
        return text.get().equals(block.text())
                ? Optional.empty()
                : Optional.of("differs from " + name + "; to write it anew: " + UPDATE);
    }

    /** Regions that neither a document shows nor the Javadoc: what they are marked for is gone. */
    static List<String> unused(List<Path> documents, Set<String> inJavadoc, Regions regions) {
        Set<String> used = new HashSet<>(inJavadoc);
        for (Path document : documents) {
            Markdown.of(document).codeBlocks().forEach(block -> block.region().ifPresent(used::add));
        }
        return regions.names().stream()
                .filter(name -> !used.contains(name))
                .sorted()
                .map(name -> name + " is shown by no document: take the tags out")
                .toList();
    }

    /** Makes every marked block equal to its region. */
    static void update(List<Path> documents, Regions regions) {
        for (Path document : documents) {
            Markdown markdown = Markdown.of(document);
            Map<Markdown.CodeBlock, String> texts = new HashMap<>();
            for (Markdown.CodeBlock block : markdown.codeBlocks()) {
                block.region()
                        .flatMap(regions::text)
                        .filter(text -> !text.equals(block.text()))
                        .ifPresent(text -> texts.put(block, text));
            }
            if (!texts.isEmpty()) {
                markdown.rewrite(texts);
            }
        }
    }

    /** Links to files below {@code root}, or to places in them, that are not there. What is on other hosts is not looked at. */
    static List<String> links(List<Path> documents, Path root) {
        List<String> broken = new ArrayList<>();
        Map<Path, List<String>> anchors = new HashMap<>();
        for (Path document : documents) {
            Markdown markdown = Markdown.of(document);
            for (Markdown.Target link : markdown.links()) {
                if (!ELSEWHERE.matcher(link.destination()).matches()) {
                    complaint(document, link.destination(), root, anchors)
                            .ifPresent(text -> broken.add(
                                    markdown.name() + ":" + link.line() + " " + link.destination() + " " + text));
                }
            }
        }
        return broken;
    }

    private static Optional<String> complaint(
            Path document, String destination, Path root, Map<Path, List<String>> anchors) {
        int hash = destination.indexOf('#');
        String path = hash < 0 ? destination : destination.substring(0, hash);
        if (path.startsWith("/")) {
            return Optional.of("begins at the root of a host: begin at the document's folder");
        }
        Path base = document.toAbsolutePath().normalize();
        Path target = path.isEmpty() ? base : base.resolveSibling(decoded(path)).normalize();
        if (!target.startsWith(root) || !Files.exists(target)) {
            return Optional.of("is not there");
        }
        if (hash < 0) {
            return Optional.empty();
        }
        if (!target.toString().endsWith(".md")) {
            return Optional.of("names a place in a file that is no Markdown: nothing keeps it right");
        }
        return anchors.computeIfAbsent(target, file -> Markdown.of(file).anchors())
                        .contains(decoded(destination.substring(hash + 1)))
                ? Optional.empty()
                : Optional.of("names a heading that is not there");
    }

    private static String decoded(String path) {
        return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
