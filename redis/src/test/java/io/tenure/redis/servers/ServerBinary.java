package io.tenure.redis.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/**
 * The program that the tests' servers run: Redis 6.2 from the test's class path, extracted once and removed with the JVM, or
 * the one that {@code -Dtenure.redis.server=/path/to/server} names. A Valkey will do as well.
 */
public final class ServerBinary {
    /** Names another server than the one in the class path. */
    public static final String PROPERTY = "tenure.redis.server";

    private static final Pattern VERSION = Pattern.compile("(\\S+) server v=(\\d+)\\.(\\d+)\\.\\S+");
    /** Which commands of Redis every Valkey knows: those of the version that it was made from. */
    private static final int[] VALKEY_IS_REDIS = {7, 2};

    private final Path path;
    private final String product;
    private final int major;
    private final int minor;
    private final String text;

    private ServerBinary(Path path) {
        this.path = path;
        text = run(path, "--version").trim();
        Matcher version = VERSION.matcher(text);
        if (!version.find()) {
            throw new IllegalStateException(path + " does not tell its version: " + text);
        }
        product = version.group(1);
        major = Integer.parseInt(version.group(2));
        minor = Integer.parseInt(version.group(3));
    }

    /** Found when it is needed first, and then for the whole run. */
    private static final class Chosen {
        static final ServerBinary BINARY = find();
    }

    /** What this run tests on. */
    public static ServerBinary chosen() {
        return Chosen.BINARY;
    }

    private static ServerBinary find() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return new ServerBinary(Path.of(named));
        }
        try {
            Folder folder = Folder.create("tenure-server");
            File extracted = ExecutableProvider.newJarResourceProvider(
                            folder.path().toFile())
                    .get();
            return new ServerBinary(extracted.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(Path program, String argument) {
        try {
            Path output = Files.createTempFile("tenure-server", ".txt");
            try {
                Process process = new ProcessBuilder(program.toString(), argument)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException(program + " " + argument + " does not end");
                }
                return Files.readString(output, StandardCharsets.UTF_8);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path path() {
        return path;
    }

    public boolean isValkey() {
        return product.equalsIgnoreCase("valkey");
    }

    /** Whether it knows the commands of that Redis; a Valkey knows those of Redis 7.2, whatever its own number is. */
    public boolean isAtLeast(int redisMajor, int redisMinor) {
        int ownMajor = isValkey() ? VALKEY_IS_REDIS[0] : major;
        int ownMinor = isValkey() ? VALKEY_IS_REDIS[1] : minor;
        return ownMajor > redisMajor || ownMajor == redisMajor && ownMinor >= redisMinor;
    }

    /** What it says of itself. */
    @Override
    public String toString() {
        return text;
    }
}
