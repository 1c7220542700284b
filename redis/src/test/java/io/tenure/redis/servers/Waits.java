package io.tenure.redis.servers;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what servers do, as long as they may take on a busy machine. */
final class Waits {
    private Waits() {}

    /** A server that does not answer, or answers an error, is not there yet. */
    static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(RedisProcess.BOUND)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(
                        e -> e instanceof UncheckedIOException || e instanceof RawConnection.ErrorReply)
                .until(condition);
    }
}
