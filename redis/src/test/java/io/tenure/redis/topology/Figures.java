package io.tenure.redis.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/** What fail-overs took, kept in {@code target/matrix} for whoever wants to know. */
final class Figures {
    private static final Path FILE = Path.of("target", "matrix", "fail-over.txt");

    private Figures() {}

    /**
     * @param failover from the kill until the servers agreed on another primary
     * @param working from the kill until every role was led, and its leader had written
     */
    static void failover(Client client, String topology, Duration failover, Duration working) {
        String line = "%s %s: another primary after %.1f s, all roles at work after %.1f s%n"
                .formatted(
                        client.name().toLowerCase(Locale.ROOT),
                        topology,
                        failover.toMillis() / 1_000.0,
                        working.toMillis() / 1_000.0);
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
