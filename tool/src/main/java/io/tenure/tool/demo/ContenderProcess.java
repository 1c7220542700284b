package io.tenure.tool.demo;

import io.tenure.tool.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One of the demo's processes, seen from outside: takes orders and signals. */
final class ContenderProcess {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final String id;
    private final Cleanup cleanup;
    private final Process process;
    private final OutputStream orders;
    private final Path errors;
    private volatile boolean mayEnd;

    private ContenderProcess(String id, Cleanup cleanup, Process process, Path errors) {
        this.id = id;
        this.cleanup = cleanup;
        this.process = process;
        this.orders = process.getOutputStream();
        this.errors = errors;
    }

    /** Starts a process that works on the server at {@code url}, and puts all that it says into {@code inbox}. */
    static ContenderProcess start(String id, Backend backend, String url, Names names, Cleanup cleanup, Inbox inbox)
            throws IOException {
        Path errors = cleanup.directory().resolve(id + ".err");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "contender",
                backend.name(),
                id,
                names.role());
        builder.environment().put(Server.VARIABLE, url);
        builder.redirectError(errors.toFile());
        ContenderProcess contender = new ContenderProcess(id, cleanup, cleanup.start(builder), errors);
        Thread reader = new Thread(() -> contender.listen(inbox), "contender-" + id);
        reader.setDaemon(true);
        reader.start();
        return contender;
    }

    String id() {
        return id;
    }

    long pid() {
        return process.pid();
    }

    /** Gives an order, as {@link Contender} takes it. */
    void tell(Object... words) throws StepFailed {
        try {
            orders.write((String.join(
                                    " ",
                                    List.of(words).stream()
                                            .map(Object::toString)
                                            .toList()) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            throw new StepFailed(id + " takes no orders any more", e);
        }
    }

    /** Stops the process where it is: SIGSTOP. */
    void stop() throws StepFailed, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on: SIGCONT. */
    void resume() throws StepFailed, InterruptedException {
        signal("CONT");
    }

    /** Kills it: SIGKILL. Returns when it is dead. */
    void kill() throws StepFailed, InterruptedException {
        mayEnd = true;
        process.destroyForcibly();
        awaitEnd("be dead");
    }

    /** Lets it close its Tenure and end; returns its exit code. */
    int quit() throws StepFailed, InterruptedException {
        if (process.isAlive()) {
            mayEnd = true;
            tell("quit");
        }
        awaitEnd("close and end");
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private void awaitEnd(String what) throws StepFailed, InterruptedException {
        if (!process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new StepFailed("Waited " + BOUND.toSeconds() + " s for " + id + " to " + what + ", in vain");
        }
        try {
            cleanup.forget(process);
        } catch (IOException e) {
            throw new StepFailed("The guard was not told that " + id + " has ended", e);
        }
    }

    private void signal(String signal) throws StepFailed, InterruptedException {
        try {
            // The shell's own kill: the program of that name is missing on slim systems.
            Process kill =
                    new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal, Long.toString(pid())).start();
            if (!kill.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
                throw new StepFailed("SIG" + signal + " could not be sent to " + id + " (process " + pid() + ")");
            }
        } catch (IOException e) {
            throw new StepFailed("SIG" + signal + " could not be sent to " + id + " (process " + pid() + ")", e);
        }
    }

    private void listen(Inbox inbox) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                inbox.add(Line.parse(id, text, System.nanoTime()));
            }
        } catch (IOException e) {
            inbox.add(Line.parse(id, "event its output broke: " + e.getMessage(), System.nanoTime()));
        }
        if (!mayEnd) {
            inbox.add(Line.parse(id, Inbox.GONE + " unexpectedly. " + lastWords(), System.nanoTime()));
        }
    }

    private String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors);
            return String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        } catch (IOException e) {
            return "";
        }
    }
}
