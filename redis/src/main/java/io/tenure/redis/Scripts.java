package io.tenure.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts, read from their resource files. */
final class Scripts {
    private static final Pattern INCLUDE = Pattern.compile("(?m)^--@include (\\S+)$");

    static final RedisScript ACQUIRE = script("acquire");
    static final RedisScript RENEW = urgent("renew");
    static final RedisScript RELEASE = urgent("release");
    static final RedisScript LEAVE = script("leave");
    static final RedisScript EVICT = script("evict");
    static final RedisScript FIND = script("find");
    static final RedisScript PROBE = script("probe");

    /** Where Redis tells which script failed, and where: {@code f_SHA): @user_script:12:} or {@code SHA, on @user_script:12}. */
    private static final Pattern PLACE = Pattern.compile("([0-9a-f]{40})\\W.*?@user_script: ?(\\d+)");

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");

    private Scripts() {}

    /** All scripts that do not come from users. */
    private static final class All {
        static final Map<String, RedisScript> BY_SHA = Stream.concat(
                        Stream.of(ACQUIRE, RENEW, RELEASE, LEAVE, EVICT, FIND, PROBE),
                        Stream.of(FenceScripts.onStore(), FenceScripts.external())
                                .flatMap(FenceScripts::fixed))
                .collect(Collectors.toMap(RedisScript::sha, script -> script, (one, same) -> one));
    }

    /** The commands, in quotes, at the line where a script failed: of those inside scripts Redis tells but the line. */
    static Optional<String> commandsAt(String error) {
        Matcher place = PLACE.matcher(error);
        RedisScript script = place.find() ? All.BY_SHA.get(place.group(1)) : null;
        if (script == null) {
            return Optional.empty();
        }
        List<String> lines = script.body().lines().toList();
        int line = Integer.parseInt(place.group(2));
        String text = line <= lines.size() ? lines.get(line - 1) : "";
        String commands = CALL.matcher(text)
                .results()
                .map(call -> "'" + call.group(1) + "'")
                .distinct()
                .collect(Collectors.joining(" or "));
        return commands.isEmpty() ? Optional.empty() : Optional.of(commands);
    }

    static RedisScript script(String name) {
        return RedisScript.of(name, text(name));
    }

    private static RedisScript urgent(String name) {
        return RedisScript.urgent(name, text(name));
    }

    /** The text of a file, with the files it includes, which hold functions that several scripts share. */
    static String text(String name) {
        String text;
        try (InputStream file = Scripts.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("The jar of tenure-redis is incomplete: " + name + ".lua is missing");
            }
            text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + name + ".lua from the jar of tenure-redis", e);
        }
        return INCLUDE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(text(match.group(1))));
    }
}
