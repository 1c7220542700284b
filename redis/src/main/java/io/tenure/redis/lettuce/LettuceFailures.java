package io.tenure.redis.lettuce;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;

/** Says why there is no connection, and what to do about it. */
final class LettuceFailures {
    private LettuceFailures() {}

    /**
     * The failure to connect to {@code server}. An interrupt stays with the thread.
     *
     * @param within how long the server had for its answer, as it is written into the message
     */
    static StoreException unreachable(String server, String within, RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof RedisCommandExecutionException)) {
            cause = cause.getCause();
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return StoreException.passing(
                    "The thread was interrupted while it connected to " + server + ": there is no connection", failure);
        }
        String cannot = "Cannot connect to " + server + ": ";
        // Of protected mode Lettuce tells by an exception for lost connections.
        if (cause instanceof RedisCommandExecutionException
                || String.valueOf(cause.getMessage()).startsWith("DENIED ")) {
            StoreException reply = RedisErrors.ofReply(String.valueOf(cause.getMessage()));
            return reply.isTransient()
                    ? StoreException.passing(cannot + reply.getMessage(), failure)
                    : StoreException.permanent(cannot + reply.getMessage(), failure);
        }
        if (failure instanceof RedisException) {
            return StoreException.passing(cannot + reason(cause, within), failure);
        }
        // A state of the client's, or a library that it lacks, as for sockets of Unix: nothing of that passes.
        return StoreException.permanent(
                cannot + cause.getMessage()
                        + ". For redis-socket:// Lettuce needs a native transport of Netty's on the class"
                        + " path, io.netty:netty-transport-native-epoll on Linux; a given client has to be open and to know its URI",
                failure);
    }

    private static String reason(Throwable cause, String within) {
        String check = ". Check host and port, and that the server runs";
        if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
            return cause.getMessage() + check;
        }
        // One time-out bounds all from the first packet to the end of the handshake. Over TLS, or before the first
        // answer, Netty tells of its end only that the channel was closed.
        String what = cause instanceof RedisCommandTimeoutException || cause instanceof ClosedChannelException
                ? "the connection was not ready within " + within + ", or the server hung up"
                : String.valueOf(cause.getMessage());
        return what + check
                + ", and that the URL starts with rediss:// if that port speaks TLS, and with redis:// if not";
    }
}
