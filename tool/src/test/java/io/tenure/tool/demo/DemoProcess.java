package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.tool.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The demo as a user meets it: a process of its own. */
final class DemoProcess implements AutoCloseable {
    /** All lines that were read. */
    final List<String> said = new ArrayList<>();

    private final List<ProcessHandle> children = new ArrayList<>();
    private final Process process;
    private final BufferedReader lines;

    private DemoProcess(Process process) {
        this.process = process;
        this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts it with files in {@code temporary}, and what {@code variables} say. */
    static DemoProcess start(Path temporary, Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(undeaf());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove(Server.VARIABLE);
        builder.environment().putAll(variables);
        return new DemoProcess(builder.redirectErrorStream(true).start());
    }

    /** What makes a process hear Ctrl-C although whoever started this one in the background had it ignored. */
    private static List<String> undeaf() throws IOException {
        List<String> reset = List.of("env", "--default-signal=INT");
        List<String> probe = new ArrayList<>(reset);
        probe.add("true");
        Process tried = new ProcessBuilder(probe).redirectErrorStream(true).start();
        return tried.onExit().join().exitValue() == 0 ? reset : List.of();
    }

    long pid() {
        return process.pid();
    }

    /** All that it has started and that has not ended; from now on they are ended with this. */
    List<ProcessHandle> children() {
        process.descendants().forEach(children::add);
        return children;
    }

    /** Adds one that is no child. */
    void adopt(ProcessHandle server) {
        children.add(server);
    }

    /** Reads on until a line contains {@code text}. */
    String readTo(String text) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError("no '" + text + "' in: " + this);
    }

    /** Reads all, and returns the exit code. */
    int readToEnd() throws InterruptedException {
        lines.lines().forEach(said::add);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        children().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** All that was said. */
    @Override
    public String toString() {
        return String.join("\n", said);
    }
}
