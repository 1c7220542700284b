package io.tenure.tool.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends what the demo started and removes its folder, however the demo ends: by itself, by a signal, or by kill -9.
 *
 * <p>The work is done by a guard, a small shell process that is told of every process, and acts when its input closes.
 * A stopped process would not notice that the demo is gone, and a server does not look.
 */
public final class Cleanup implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final String GUARD = """
      trap '' HUP INT TERM
      all=' '
      server=
      while read -r verb what; do
        case $verb in
          watch) all="$all$what " ;;
          forget) all="${all%% $what *} ${all#* $what }" ;;
          server) server=$what ;;
        esac
      done
      for pid in $all; do kill -9 "$pid" 2>/dev/null; done
      if [ -f "$server" ]; then
        pid=$(head -n 1 "$server")
        kill -QUIT "$pid"
        for i in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do
          [ -f "$server" ] || break
          sleep 0.1
        done
        [ ! -f "$server" ] || kill -9 "$pid"
      fi
      rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
      """;

    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Deque<Runnable> last = new ArrayDeque<>();
    private final Set<Process> watched = new HashSet<>();
    private final Path directory;
    private final Process guard;
    private final OutputStream orders;
    private boolean closed;

    private Cleanup(Path directory, Process guard) {
        this.directory = directory;
        this.guard = guard;
        this.orders = guard.getOutputStream();
    }

    /**
     * Begins; from now on a signal ends what will have been started.
     *
     * @param onInterrupt called first when a signal ends the demo
     * @param afterInterrupt called last then
     */
    public static Cleanup open(Runnable onInterrupt, Runnable afterInterrupt) throws IOException {
        Path directory = Files.createTempDirectory("tenure-demo-");
        Process guard = new ProcessBuilder("sh", "-c", GUARD, "tenure-demo-guard", directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Cleanup cleanup = new Cleanup(directory, guard);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> cleanup.interrupt(onInterrupt, afterInterrupt), "cleanup"));
        return cleanup;
    }

    /** A folder that is removed at the end. */
    public Path directory() {
        return directory;
    }

    /** Starts a process that is killed at the end. */
    public Process start(ProcessBuilder builder) throws IOException {
        return whileOpen(() -> {
            Process process = builder.start();
            watched.add(process);
            order("watch", process.pid());
            return process;
        });
    }

    /** Says that {@code process} has ended, and its id may be another's soon. */
    public void forget(Process process) throws IOException {
        whileOpen(() -> {
            order("forget", process.pid());
            return watched.remove(process);
        });
    }

    /**
     * Says that a server is about to start which is no child of this process, and writes its id into the first line of
     * {@code pidFile}, as PostgreSQL does. It is ended by SIGQUIT, since after a SIGKILL it would leave shared memory behind.
     */
    public void endServer(Path pidFile) throws IOException {
        whileOpen(() -> {
            order("server", pidFile);
            return pidFile;
        });
    }

    /** Does something that the end has to wait for, so that nothing comes into being behind its back. */
    public <T> T whileOpen(Callable<T> action) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the demo is ending");
            }
            return action.call();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Adds what to do at the end, once no process is left; what was added last is done first. */
    public void afterwards(Runnable action) throws IOException {
        whileOpen(() -> {
            last.push(action);
            return action;
        });
    }

    /** Whether a signal is ending the demo, as known after {@code wait}: its processes get a Ctrl-C as well, and earlier. */
    boolean isInterrupted(Duration wait) throws InterruptedException {
        return interrupted.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void order(String verb, Object what) throws IOException {
        orders.write((verb + " " + what + "\n").getBytes(StandardCharsets.UTF_8));
        orders.flush();
    }

    private void interrupt(Runnable first, Runnable afterwards) {
        lock.lock();
        try {
            if (!closed) {
                interrupted.countDown();
                first.run();
                close();
                afterwards.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            watched.forEach(Process::destroyForcibly);
            orders.close();
            guard.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            last.forEach(Runnable::run);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The guard that ends the demo's processes was ended itself: see what is left of " + directory, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
