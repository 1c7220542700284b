package io.tenure.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program in a process of its own, and what it prints. */
final class Program implements AutoCloseable {
    private final Process process;
    private final Thread reader;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Program(Process process) {
        this.process = process;
        reader = new Thread(this::read, "program-output");
        reader.start();
    }

    static Program start(Class<?> type, String... args) throws IOException {
        return start(System.getProperty("java.class.path"), type.getName(), args);
    }

    static Program start(String classPath, String main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main));
        command.addAll(List.of(args));
        return new Program(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("The output ended by " + e);
        }
    }

    /** What was printed so far. */
    List<String> lines() {
        return lines;
    }

    /** The token in the first event of this kind. */
    Stream<Long> tokens(String event) {
        return lines.stream()
                .filter(line -> line.startsWith(event + "["))
                .map(line -> Long.parseLong(line.replaceFirst(".*\\btoken=(\\d+).*", "$1")));
    }

    /** Sends SIGTERM, waits for the end, and returns the exit code. */
    int terminate() throws InterruptedException {
        process.toHandle().destroy(); // the other destroy() closes the output too
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The program does not end; it printed " + lines);
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
