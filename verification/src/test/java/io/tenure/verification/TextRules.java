package io.tenure.verification;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Rules that look at the text, since the compiled class does not tell. Each answers with what breaks it. */
final class TextRules {

    static final int MOST_LINES = 350;

    private static final Pattern SYNCHRONIZED = Pattern.compile("\\bsynchronized\\b");
    private static final Pattern SWITCHED_OFF =
            Pattern.compile("@Disabled\\w*|@Ignore\\b|\\bassum(eTrue|eFalse|eThat|ingThat)\\s*\\(|\\bAssumptions\\.");
    /** In this order: a quote inside a comment opens no literal, and two slashes inside a literal no comment. */
    private static final Pattern NOT_CODE = Pattern.compile(
            "//[^\\n]*|/\\*.*?\\*/|\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'",
            Pattern.DOTALL);

    private TextRules() {}

    /** The word anywhere in code: as a modifier or a block. A monitor pins virtual threads and cannot be timed. */
    static List<String> synchronizedIn(List<Path> files) {
        return linesWith(SYNCHRONIZED, files);
    }

    /** Tests that are switched off or switch themselves off: they would prove nothing and still look green. */
    static List<String> switchedOffIn(List<Path> files) {
        return linesWith(SWITCHED_OFF, files);
    }

    /** Files that are too long and have no reason to be, and reasons that no long file needs. */
    static List<String> tooLong(List<Path> files, Map<String, String> allowed) {
        List<String> broken = new ArrayList<>();
        List<String> needed = new ArrayList<>();
        for (Path file : files) {
            String name = SourceTree.nameOf(file);
            long lines = SourceTree.read(file).lines().count();
            if (lines > MOST_LINES) {
                needed.add(name);
                if (!allowed.containsKey(name)) {
                    broken.add(name + " has " + lines + " lines, " + MOST_LINES + " are enough: split it, or give the"
                            + " reason in Allowed.LONG_FILES");
                }
            }
        }
        broken.addAll(notNeeded("LONG_FILES", allowed, needed));
        return broken;
    }

    static List<String> notNeeded(String list, Map<String, String> allowed, List<String> needed) {
        return allowed.keySet().stream()
                .filter(name -> !needed.contains(name))
                .sorted()
                .map(name -> name + " keeps the rule or is gone: take it out of Allowed." + list)
                .toList();
    }

    /** {@code source} with every comment and literal blanked, line by line as long as before. */
    static String codeOf(String source) {
        return NOT_CODE.matcher(source).replaceAll(match -> match.group().replaceAll("[^\\n]", " "));
    }

    private static List<String> linesWith(Pattern pattern, List<Path> files) {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = codeOf(SourceTree.read(file)).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    found.add(SourceTree.nameOf(file) + ":" + (i + 1) + " "
                            + lines.get(i).strip());
                }
            }
        }
        return found;
    }
}
