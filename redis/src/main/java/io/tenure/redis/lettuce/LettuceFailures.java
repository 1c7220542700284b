package io.tenure.redis.lettuce;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.RedisProtocolException;
import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says why there is no connection, and what to do about it. */
final class LettuceFailures {
    private static final String CHECK = ". Check host and port, and that the server runs";

    private LettuceFailures() {}

    /**
     * The failure to connect to {@code server}. An interrupt stays with the thread.
     *
     * @param within how long the server had for its answer, as it is written into the message
     */
    static StoreException unreachable(String server, String within, RuntimeException failure) {
        List<Throwable> all = new ArrayList<>();
        collect(failure, all, Collections.newSetFromMap(new IdentityHashMap<>()));
        if (find(all, InterruptedException.class).isPresent()) {
            Thread.currentThread().interrupt();
            return StoreException.passing(
                    "The thread was interrupted while it connected to " + server + ": there is no connection", failure);
        }
        String cannot = "Cannot connect to " + server + ": ";
        Optional<String> refusal = find(all, RedisCommandExecutionException.class)
                .map(reply -> String.valueOf(reply.getMessage()))
                .or(() -> protectedMode(all));
        if (refusal.isPresent()) {
            if (isByCredentials(refusal.get()) && all.stream().anyMatch(LettuceFailures::isOfSentinel)) {
                return StoreException.permanent(
                        cannot + "the sentinels ask for credentials of their own, which no URL can hold: make a"
                                + " RedisClient that has them (RedisURI.Builder.withSentinel), and give it to"
                                + " LettuceStores.of ["
                                + refusal.get() + "]",
                        failure);
            }
            StoreException reply = RedisErrors.ofReply(refusal.get());
            return reply.isTransient()
                    ? StoreException.passing(cannot + reply.getMessage(), failure)
                    : StoreException.permanent(cannot + reply.getMessage(), failure);
        }
        Optional<CertificateException> distrust = find(all, CertificateException.class);
        if (distrust.isPresent()) {
            return StoreException.permanent(
                    cannot + "its certificate is not trusted: " + distrust.get().getMessage()
                            + ". Put its issuer into the trust store of the JVM (-Djavax.net.ssl.trustStore), and use the"
                            + " host's name that it names; verifyPeer=CA in the URL does without the name, NONE without both",
                    failure);
        }
        if (all.stream().anyMatch(LettuceFailures::isUnknownPrimary)) {
            return StoreException.permanent(
                    cannot + "the sentinels know no primary of that name: it stands behind '#' in the URL", failure);
        }
        if (failure instanceof RedisException) {
            return StoreException.passing(cannot + reason(roots(all), within), failure);
        }
        // A state of the client's, or a library that it lacks, as for sockets of Unix: nothing of that passes.
        return StoreException.permanent(
                cannot + roots(all).get(0).getMessage()
                        + ". For redis-socket:// Lettuce needs a native transport of Netty's on the class"
                        + " path, io.netty:netty-transport-native-epoll on Linux; a given client has to be open and to know its URI",
                failure);
    }

    /** With what became of each of several hosts, which Lettuce keeps beside the cause. */
    private static void collect(@Nullable Throwable failure, List<Throwable> all, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return;
        }
        all.add(failure);
        collect(failure.getCause(), all, seen);
        if (failure instanceof RedisException) {
            for (Throwable other : failure.getSuppressed()) {
                collect(other, all, seen);
            }
        }
    }

    private static <T> Optional<T> find(List<Throwable> all, Class<T> type) {
        return all.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Of that Lettuce tells by the exception that it has for lost connections. */
    private static Optional<String> protectedMode(List<Throwable> all) {
        return all.stream()
                .map(failure -> String.valueOf(failure.getMessage()))
                .filter(message -> message.startsWith("DENIED "))
                .findFirst();
    }

    /** A connection may end, and lose what it was made of, before Lettuce begins to listen what becomes of it. */
    private static boolean isHangUp(Throwable failure) {
        return failure instanceof IllegalStateException
                && String.valueOf(failure.getMessage()).startsWith("RedisHandshakeHandler not registered");
    }

    private static boolean isByCredentials(String reply) {
        return reply.startsWith("NOAUTH") || reply.startsWith("WRONGPASS");
    }

    private static boolean isOfSentinel(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Cannot connect Redis Sentinel at ");
    }

    private static boolean isUnknownPrimary(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Cannot provide redisAddress using sentinel");
    }

    /** What stands at the ends of the chains of causes: for several hosts there may be several. */
    private static List<Throwable> roots(List<Throwable> all) {
        List<Throwable> ends = all.stream()
                .filter(failure -> failure.getCause() == null
                        && (failure.getSuppressed().length == 0 || !(failure instanceof RedisException)))
                .toList();
        return ends.isEmpty() ? List.of(all.get(all.size() - 1)) : ends;
    }

    private static String reason(List<Throwable> causes, String within) {
        boolean reached = causes.stream()
                .noneMatch(cause -> cause instanceof ConnectException || cause instanceof UnknownHostException);
        return causes.stream().map(cause -> what(cause, within)).distinct().collect(Collectors.joining("; "))
                + CHECK
                + (reached
                        ? ", and that the URL starts with rediss:// if that port speaks TLS, and with redis:// if not"
                        : "");
    }

    private static String what(Throwable cause, String within) {
        if (cause instanceof RedisProtocolException) {
            return "what it answers is not what a Redis server does (" + cause.getMessage() + ")";
        }
        // One time-out bounds all from the first packet to the end of the handshake. Over TLS, or before the first
        // answer, Netty tells of its end only that the channel was closed.
        return cause instanceof RedisCommandTimeoutException
                        || cause instanceof ClosedChannelException
                        || isHangUp(cause)
                ? "the connection was not ready within " + within + ", or the server hung up"
                : String.valueOf(cause.getMessage());
    }
}
