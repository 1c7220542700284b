package io.tenure.redis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A temporary folder that goes, with what is in it, when it is closed, or else when the JVM ends. */
final class Folder implements AutoCloseable {
    private static final Runnable NOTHING = () -> {};

    private final Path path;
    private final Thread atExit = new Thread(this::leave, "tenure-folder");
    private final AtomicReference<Runnable> before = new AtomicReference<>(NOTHING);

    private Folder(Path path) {
        this.path = path;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static Folder create(String prefix) {
        try {
            return new Folder(Files.createTempDirectory(prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** What has to happen before the folder goes at the end of the JVM: a run that is cut short closes nothing. */
    void beforeExit(Runnable action) {
        before.set(action);
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        delete();
    }

    private void leave() {
        before.get().run();
        delete();
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> insideFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : insideFirst) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // Somebody else removed it.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
