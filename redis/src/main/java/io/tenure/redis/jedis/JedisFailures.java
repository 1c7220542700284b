package io.tenure.redis.jedis;

import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Says what the exceptions of Jedis and of its pools mean. */
final class JedisFailures {
    private JedisFailures() {}

    static StoreException of(Throwable failure, String server) {
        if (failure instanceof StoreException store) {
            return store;
        }
        if (failure instanceof JedisDataException) {
            return RedisErrors.ofReply(String.valueOf(failure.getMessage()));
        }
        if (isExhausted(failure)) {
            return StoreException.passing(
                    "All connections of the Jedis client to " + server
                            + " are in use; nothing was sent. Give its pool more of them (maxTotal), or the leases a client of"
                            + " their own",
                    failure);
        }
        Throwable root = root(failure);
        if (root instanceof SocketTimeoutException) {
            return RedisErrors.timedOut(server, failure);
        }
        return RedisErrors.lost(server, root.getMessage() == null ? failure : root);
    }

    /** Whether a connection broke, or could not be made, or was silent: whatever else stands idle is no better. */
    static boolean isOfConnection(Throwable failure) {
        return !(failure instanceof JedisDataException) && !isExhausted(failure);
    }

    /** The pool's own way to say so; with a cause it is a connection that could not be made. */
    private static boolean isExhausted(Throwable failure) {
        return failure instanceof NoSuchElementException && failure.getCause() == null;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
