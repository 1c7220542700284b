package io.tenure.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Signals to processes of a test's own. */
public final class Signals {
    private static final long BOUND_SECONDS = 20;

    private Signals() {}

    /** SIGSTOP; returns when the process has stopped. */
    public static void pause(long pid) {
        send("STOP", pid);
        Awaitility.await()
                .atMost(Duration.ofSeconds(BOUND_SECONDS))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> isStopped(pid));
    }

    /** SIGCONT. */
    public static void resume(long pid) {
        send("CONT", pid);
    }

    private static void send(String signal, long pid) {
        try {
            // The shell's own kill: the program of that name is missing on slim systems.
            Process kill =
                    new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal, Long.toString(pid)).start();
            if (!kill.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("SIG" + signal + " could not be sent to process " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where the system does not tell, a signal that was sent counts as heard. */
    private static boolean isStopped(long pid) throws IOException {
        Path stat = Path.of("/proc/" + pid + "/stat");
        if (!Files.exists(stat)) {
            return true;
        }
        String text = Files.readString(stat);
        return text.startsWith("T", text.lastIndexOf(')') + 2);
    }
}
