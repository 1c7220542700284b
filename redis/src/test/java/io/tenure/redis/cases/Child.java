package io.tenure.redis.cases;

import io.tenure.redis.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A process of a test: takes lines, says lines, and is stopped, resumed and killed by signals. */
final class Child {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final String label;
    private final Process process;
    private final OutputStream orders;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread end = new Thread(this::destroy);

    Child(String label, List<String> command) throws IOException {
        this.label = label;
        // What it complains of is heard as what it says: a test that waits in vain tells it.
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        orders = process.getOutputStream();
        Runtime.getRuntime().addShutdownHook(end);
        Thread ear = new Thread(this::listen, label);
        ear.setDaemon(true);
        ear.start();
    }

    /** Tells it a line. */
    void tell(Object... words) {
        String line =
                String.join(" ", List.of(words).stream().map(Object::toString).toList());
        try {
            orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(this + " takes no orders", e);
        }
    }

    /** Waits for the first line that begins with the word {@code word}, and returns the rest of it. */
    String hear(String word) {
        return hear(word, 1);
    }

    /** Waits for the {@code nth} line that begins with the word {@code word}, and returns the rest of it. */
    String hear(String word, int nth) {
        try {
            Awaitility.await()
                    .atMost(BOUND)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> heard(word).size() >= nth);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("\"" + word + "\" (" + nth + ") was not said by " + this, e);
        }
        return heard(word).get(nth - 1);
    }

    /** The rests of all lines so far that begin with the word {@code word}. */
    List<String> heard(String word) {
        return lines.stream()
                .filter(line -> line.equals(word) || line.startsWith(word + " "))
                .map(line -> line.substring(word.length()).strip())
                .toList();
    }

    /** All that it has said so far, in order. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Stops it where it is: SIGSTOP. */
    void pause() {
        Signals.pause(process.pid());
    }

    /** Lets it go on: SIGCONT. */
    void resume() {
        Signals.resume(process.pid());
    }

    /** Kills it: SIGKILL. Returns when it is dead; dead already is fine. */
    void kill() {
        destroy();
        awaitEnd();
        // Not while this JVM ends, which is when the hook runs.
        Runtime.getRuntime().removeShutdownHook(end);
    }

    /** Ends its input and waits until it has ended by itself; returns its exit code. */
    int finish() {
        try {
            orders.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitEnd();
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private void destroy() {
        process.destroyForcibly();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("does not end: " + this);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void listen() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("its output broke: " + e);
        }
    }

    @Override
    public String toString() {
        return label + " (process " + process.pid() + "), which said:\n" + String.join("\n", lines);
    }
}
