package io.tenure.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private Scripts() {}

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
