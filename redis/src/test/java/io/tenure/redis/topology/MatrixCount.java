package io.tenure.redis.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Counts the tests of each cell, a class nested in the one that this is registered in, and writes lines like {@code
 * JedisCluster passed 139} to {@code target/matrix}: reports name tests by the contract that they are written in.
 */
final class MatrixCount implements TestWatcher, AfterAllCallback {
    private final Path file;
    private final Map<String, AtomicInteger> counts = new ConcurrentSkipListMap<>();

    MatrixCount(String name) {
        file = Path.of("target", "matrix", name + "Contracts.txt");
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        count(context, "passed");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        count(context, "failed");
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        count(context, "skipped");
    }

    private void count(ExtensionContext context, String outcome) {
        List<Class<?>> enclosing = context.getEnclosingTestClasses();
        String cell = enclosing.get(1).getSimpleName();
        counts.computeIfAbsent(cell + " " + outcome, key -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (!context.getEnclosingTestClasses().isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(
                    file,
                    counts.entrySet().stream()
                            .map(each -> each.getKey() + " " + each.getValue())
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
