package io.tenure.redis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user that the README makes, by the very text that stands there. */
public final class ReadmeUser {
    public static final String NAME = "leases";
    public static final String PASSWORD = "secret";

    private static final Pattern LINE = Pattern.compile("(?m)^redis-cli acl setuser ((?:.*\\\\\\n)*.*)$");
    private static final Pattern KEYS = Pattern.compile("(?m)^('~.*')$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s\\\\']+)");

    private ReadmeUser() {}

    private static List<String> words(Pattern where, String... file) {
        try {
            Matcher line = where.matcher(Files.readString(Path.of("..", file)));
            if (!line.find()) {
                throw new IllegalStateException(where + " is not in " + Arrays.toString(file));
            }
            return WORD.matcher(line.group(1))
                    .results()
                    .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What follows {@code ACL SETUSER}. */
    public static List<String> words() {
        return words(LINE, "README.md");
    }

    /** The same with the patterns of keys that docs/operating.md gives for names of all kinds. */
    public static List<String> wordsForAnyName() {
        List<String> words = new ArrayList<>(words());
        words.removeIf(word -> word.startsWith("~"));
        words.addAll(words(KEYS, "docs", "operating.md"));
        return words;
    }

    /** Makes the user anew, as the README says. */
    public static void on(int port) {
        on(port, words());
    }

    public static void on(int port, List<String> words) {
        if (!words.subList(0, 3).equals(List.of(NAME, "on", ">" + PASSWORD))) {
            throw new IllegalStateException("Another user than tests know: " + words);
        }
        change(port, "reset");
        change(port, words.subList(1, words.size()).toArray(String[]::new));
    }

    public static void change(int port, String... rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", NAME));
        command.addAll(List.of(rules));
        try (RawConnection admin = RawConnection.to(port)) {
            admin.call(command.toArray(String[]::new));
        }
    }

    /** The URI of a server, or of several, for this user. */
    public static String in(String uri) {
        return uri.replaceFirst("://", "://" + NAME + ":" + PASSWORD + "@");
    }
}
