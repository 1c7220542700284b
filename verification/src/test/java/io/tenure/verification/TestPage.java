package io.tenure.verification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of the documentation that lists numbered sentences, each with the tests that are named after it and the
 * deliberate breaks that they caught. The sentences are written in a head, a list in groups; the rest is found.
 */
final class TestPage {
    private static final Pattern GROUP = Pattern.compile("\\*\\*(.+)\\*\\*");
    private static final Pattern ITEM = Pattern.compile("(\\d+)\\. +(.*)");

    /** More tests than this are folded away. */
    private static final int SHOWN_OPEN = 3;

    private final String title;
    private final String head;
    private final List<LawTest> tests;
    private final List<Break> breaks;
    private final Map<String, Set<String>> caught;

    /** @param title what one sentence is called, "Law" or "Case" */
    TestPage(String title, String head, List<LawTest> tests, List<Break> breaks, Map<String, Set<String>> caught) {
        this.title = title;
        this.head = head;
        this.tests = tests;
        this.breaks = breaks;
        this.caught = caught;
    }

    /** The numbers and sentences that the head lists. */
    Map<Integer, String> sentences() {
        Map<Integer, String> sentences = new LinkedHashMap<>();
        int number = 0;
        for (String line : head.lines().toList()) {
            Matcher item = ITEM.matcher(line);
            if (item.matches()) {
                number = Integer.parseInt(item.group(1));
                sentences.put(number, item.group(2));
            } else if (number > 0 && line.startsWith("  ")) {
                sentences.merge(number, line.strip(), (before, more) -> before + "\n" + more);
            }
        }
        return sentences;
    }

    String text() {
        Map<Integer, String> sentences = sentences();
        List<String> page = new ArrayList<>();
        boolean begun = false;
        for (String line : head.lines().toList()) {
            Matcher item = ITEM.matcher(line);
            Matcher group = GROUP.matcher(line);
            if (!begun && (item.matches() || group.matches())) {
                begun = true;
                page.addAll(inShort(sentences));
            }
            if (item.matches()) {
                int number = Integer.parseInt(item.group(1));
                page.addAll(section(number, sentences.getOrDefault(number, "")));
            } else if (group.matches()) {
                page.addAll(List.of("## " + group.group(1), ""));
            } else if (!line.startsWith("  ")
                    && !(line.isEmpty() && page.get(page.size() - 1).isEmpty())) {
                page.add(line);
            }
        }
        return String.join("\n", page).strip() + "\n";
    }

    /** All sentences on one screen or two, each leading to its section. */
    private List<String> inShort(Map<Integer, String> sentences) {
        List<String> lines = new ArrayList<>(List.of("## The " + title.toLowerCase(Locale.ROOT) + "s in short", ""));
        sentences.forEach((number, sentence) -> {
            String anchor = "#" + title.toLowerCase(Locale.ROOT) + "-" + number;
            String indent = " ".repeat((number + ". ").length());
            lines.add(number + ". " + sentence.replace("\n", "\n" + indent) + " ([tests](" + anchor + "))");
        });
        lines.add("");
        return lines;
    }

    private List<String> section(int number, String sentence) {
        List<String> lines = new ArrayList<>(List.of("### " + title + " " + number, "", sentence, ""));
        List<Break> broken =
                breaks.stream().filter(each -> each.laws().contains(number)).toList();
        broken.forEach(each -> lines.add(caughtBy(each, number)));
        if (!broken.isEmpty()) {
            lines.add("");
        }
        List<LawTest> own =
                tests.stream().filter(test -> test.number() == number).toList();
        List<String> suites = new ArrayList<>();
        own.stream()
                .collect(Collectors.groupingBy(LawTest::type, LinkedHashMap::new, Collectors.toList()))
                .forEach((type, same) -> suites.addAll(suite(type, same)));
        if (own.isEmpty()) {
            lines.addAll(List.of("No test has this name.", ""));
        } else if (own.size() > SHOWN_OPEN) {
            lines.addAll(List.of("<details><summary>" + own.size() + " tests</summary>", ""));
            lines.addAll(suites);
            lines.addAll(List.of("</details>", ""));
        } else {
            lines.addAll(suites);
        }
        return lines;
    }

    private static List<String> suite(String type, List<LawTest> same) {
        List<String> runBy = same.get(0).runBy();
        List<String> lines = new ArrayList<>();
        lines.add("`" + type + "`"
                + (runBy.equals(List.of(type)) ? "" : ", run by `" + String.join("`, `", runBy) + "`"));
        lines.add("");
        same.forEach(test -> lines.add("- " + test.sentence()));
        lines.add("");
        return lines;
    }

    /** What the break is, and the first of the tests that noticed it. */
    private String caughtBy(Break broken, int number) {
        List<String> noticed = caught.getOrDefault(broken.id(), Set.of()).stream()
                .filter(test -> test.contains("." + Break.prefixOf(number)))
                .toList();
        if (noticed.isEmpty()) {
            return "- Broken by: " + broken.what() + " Caught by nothing.";
        }
        String first = noticed.get(0);
        String sentence = first.substring(first.indexOf('_') + 1).replace('_', ' ');
        String more = noticed.size() == 1 ? "" : " and others";
        return "- Broken by: " + broken.what() + " Caught by *" + sentence + "* in `"
                + first.substring(0, first.indexOf('.')) + "`" + more + ".";
    }
}
