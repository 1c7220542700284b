package io.tenure.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A program in a process of its own, and what it prints; it takes orders by the line, and is stopped where it is. */
public final class Program implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Process process;
    private final Thread end;
    private final Thread reader;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Program(Process process) {
        this.process = process;
        reader = new Thread(this::read, "program-output");
        reader.start();
        // A run that is cut short closes nothing, and whoever was stopped would stay.
        end = new Thread(process::destroyForcibly, "program-end");
        Runtime.getRuntime().addShutdownHook(end);
    }

    public static Program start(Class<?> type, String... args) throws IOException {
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
    public List<String> lines() {
        return lines;
    }

    /** Gives it a line to read. */
    public void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for the first line that begins with the word {@code word}, and returns the rest of it. */
    public String hear(String word) {
        try {
            Awaitility.await()
                    .atMost(BOUND)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> heard(word).findFirst().isPresent());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("\"" + word + "\" was not said, but " + lines, e);
        }
        return heard(word).findFirst().orElseThrow();
    }

    private Stream<String> heard(String word) {
        return lines.stream()
                .filter(line -> line.equals(word) || line.startsWith(word + " "))
                .map(line -> line.substring(word.length()).strip());
    }

    /** Stops it where it is: SIGSTOP. Returns when it has stopped. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
        Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(this::isStopped);
    }

    /** Lets it go on: SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Kills it: SIGKILL. Returns when it is dead. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("The program does not end; it printed " + lines);
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        // The shell's own kill: the program of that name is missing on slim systems.
        Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, "" + process.pid()).start();
        if (!kill.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IllegalStateException("SIG" + name + " could not be sent to process " + process.pid());
        }
    }

    /** Where the system does not tell, a signal that was sent counts as heard. */
    private boolean isStopped() throws IOException {
        Path stat = Path.of("/proc/" + process.pid() + "/stat");
        if (!Files.exists(stat)) {
            return true;
        }
        String text = Files.readString(stat);
        return text.startsWith("T", text.lastIndexOf(')') + 2);
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
        Runtime.getRuntime().removeShutdownHook(end);
    }
}
