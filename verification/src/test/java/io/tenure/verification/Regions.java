package io.tenure.verification;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of Java sources that documents show: what lies between a line {@code // tag::name} and a line {@code // end::name},
 * without the indentation that all its lines share. Regions may overlap; lines with tags belong to none.
 */
final class Regions {
    private static final Pattern TAG = Pattern.compile("\\s*//\\s*(tag|end)::(.*)");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> broken = new ArrayList<>();

    private Regions() {}

    /** The regions of {@code sources}. */
    static Regions of(List<Path> sources) {
        Regions regions = new Regions();
        sources.forEach(regions::read);
        return regions;
    }

    /** The names of all regions, as documents write them: path from the root, {@code #}, name. */
    Set<String> names() {
        return texts.keySet();
    }

    /** What the region {@code name} says, with a line feed behind each line. */
    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** Tags that make no region. */
    List<String> broken() {
        return List.copyOf(broken);
    }

    private void read(Path source) {
        String file = SourceTree.nameOf(source);
        Map<String, List<String>> open = new LinkedHashMap<>();
        for (String line : SourceTree.read(source).lines().toList()) {
            Matcher tag = TAG.matcher(line);
            if (!tag.matches()) {
                open.values().forEach(lines -> lines.add(line));
                continue;
            }
            String name = tag.group(2).strip();
            String region = file + "#" + name;
            if (!NAME.matcher(name).matches()) {
                broken.add(region + " is no name for a region: lower case, digits and single hyphens are");
            } else if (tag.group(1).equals("tag")) {
                begin(open, name, region);
            } else {
                end(open.remove(name), region);
            }
        }
        open.keySet().forEach(name -> broken.add(file + "#" + name + " is never ended"));
    }

    private void begin(Map<String, List<String>> open, String name, String region) {
        if (texts.containsKey(region) || open.containsKey(name)) {
            broken.add(region + " begins twice");
        } else {
            open.put(name, new ArrayList<>());
        }
    }

    private void end(@Nullable List<String> lines, String region) {
        if (lines == null) {
            broken.add(region + " ends without having begun");
            return;
        }
        String text =
                String.join("\n", lines).stripIndent().replaceFirst("^\n+", "").stripTrailing();
        if (text.isEmpty()) {
            broken.add(region + " is empty");
        } else {
            texts.put(region, text + "\n");
        }
    }
}
