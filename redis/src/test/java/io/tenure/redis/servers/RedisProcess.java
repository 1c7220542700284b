package io.tenure.redis.servers;

import io.tenure.redis.Signals;
import io.tenure.redis.servers.RawConnection.ErrorReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A Redis or Valkey as a child process, on a port of the loopback interface and with a folder of its own. It keeps both when it
 * is stopped and started again; {@link #close} and the end of the JVM end the process and remove the folder.
 *
 * <p>One thread at a time may start, stop, pause and resume it; all the rest is thread-safe.
 */
public final class RedisProcess implements AutoCloseable {
    /** Where all the tests' servers listen. */
    public static final String HOST = "127.0.0.1";
    /** How long waits for servers last at most: machines that run tests are busy. */
    public static final Duration BOUND = Duration.ofSeconds(40);

    private static final Duration SHORT = Duration.ofSeconds(2);

    private final int port;
    private final Folder folder = Folder.create("tenure-redis");
    private final Path log = folder.path().resolve("server.log");
    private final Role role;
    private volatile @Nullable Process process;
    private volatile State state = State.DOWN;

    private enum State {
        UP,
        PAUSED,
        DOWN
    }

    RedisProcess(Role role) {
        this(Ports.free(), role);
    }

    /** On a port that others had to be told before. */
    RedisProcess(int port, Role role) {
        this.port = port;
        this.role = role;
        folder.beforeExit(this::stop);
    }

    /**
     * A server that is not started yet.
     *
     * @param settings as on a command line: {@code "--maxmemory", "2mb"}; the last one counts, over the defaults too
     */
    public static RedisProcess of(String... settings) {
        return new RedisProcess(Role.server(List.of(settings)));
    }

    /** Starts it, and waits until it has loaded what it kept and answers. */
    public void start() {
        launch();
        await("answers", () -> !ping().startsWith("LOADING"));
    }

    /** Starts it, and waits until it answers, be it that it is {@code LOADING}. */
    public void launch() {
        if (state != State.DOWN) {
            throw new IllegalStateException(this + " runs already");
        }
        List<String> command =
                new ArrayList<>(List.of(ServerBinary.chosen().path().toString()));
        try {
            command.addAll(role.arguments(port, folder.path()));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        state = State.UP;
        await("listens", () -> {
            if (!running().isAlive()) {
                throw new IllegalStateException(this + " ended:\n" + log());
            }
            return !ping().isEmpty();
        });
    }

    /** What it answers to a PING, an error too; empty when nothing. */
    private String ping() {
        try (RawConnection connection = RawConnection.to(port, SHORT)) {
            return connection.call("PING");
        } catch (ErrorReply e) {
            return Objects.requireNonNull(e.getMessage());
        } catch (UncheckedIOException e) {
            return "";
        }
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException(this + " was never started");
        }
        return running;
    }

    /** Kills it hard, whatever state it is in: SIGKILL. What its settings do not save is lost. Twice is once. */
    public void stop() {
        state = State.DOWN;
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            if (!running.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(this + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@link #stop} and {@link #start}. */
    public void restart() {
        stop();
        start();
    }

    /** Stops it where it is: SIGSTOP. Connections stay, connecting too; nothing is answered. */
    public void pause() {
        Signals.pause(pid());
        state = State.PAUSED;
    }

    /** Lets it go on: SIGCONT. */
    public void resume() {
        Signals.resume(pid());
        state = State.UP;
    }

    /** Whether it is neither paused nor down, as far as the tests had a hand in it. */
    public boolean isUp() {
        return state == State.UP;
    }

    /** The answer to a command on a connection of its own, as {@link RawConnection#call} tells it. */
    public String cli(String... command) {
        try (RawConnection connection = RawConnection.to(port)) {
            return connection.call(command);
        }
    }

    /** The same, as {@link RawConnection#list} tells it. */
    List<String> list(String... command) {
        try (RawConnection connection = RawConnection.to(port)) {
            return connection.list(command);
        }
    }

    /** A field of {@code INFO}; empty when there is none of that name. */
    public String info(String field) {
        return cli("INFO", "everything")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).trim())
                .findFirst()
                .orElse("");
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://" + HOST + ":" + port;
    }

    public long pid() {
        return running().pid();
    }

    /** Where it keeps its files. */
    public Path folder() {
        return folder.path();
    }

    /** What it wrote about itself, over all its starts. */
    String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it, and removes all it has left. */
    @Override
    public void close() {
        stop();
        folder.close();
    }

    @Override
    public String toString() {
        return "server " + HOST + ":" + port;
    }

    private void await(String what, BooleanSupplier condition) {
        Awaitility.await(this + " " + what)
                .atMost(BOUND)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(10))
                .until(condition::getAsBoolean);
    }
}
