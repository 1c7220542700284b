package io.tenure.redis;

import io.tenure.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * What Tenure needs of a Redis client; bound for Lettuce by {@link LettuceStores}, for Jedis by {@link JedisStores}. Implement
 * it to bring another client. Thread-safe; nothing blocks but {@link #close()}.
 *
 * <p>{@code docs/binding-a-client.md} shows one, and says what to look out for.
 *
 * <p>Stages fail with {@link StoreException} only; {@link RedisErrors} makes them. Cancelling the future of a stage must
 * keep a command that was not sent yet from being sent, so that a reconnection does not bring it minutes later.
 */
public interface RedisPort extends AutoCloseable {

    /**
     * Runs a script: by its text until the server is known to have it, then by its digest, and by its text again when the
     * server answers {@code NOSCRIPT}. A digest that the server does not know does nothing for a call that was given up
     * meanwhile, and a release is often given up. Never repeated after any other failure. A script without keys may run on
     * any primary.
     */
    CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args);

    /**
     * Runs a script as {@link #run} does and then, when its reply says that this is needed, waits with {@code WAIT} for
     * replicas to have all it wrote. Both go over one connection, with no other in between: a server counts what was written
     * before on the connection that waits. Waiting blocks that connection, so renewals and releases must not need it, and
     * many that wait should do so together, not one after the other.
     *
     * <p>Fails when the script fails, and when the wait is refused or not answered, also when the connection is lost
     * between the two. A port that cannot do it fails for good, with nothing sent; that is what happens unless it is
     * overridden.
     *
     * @param wait whether a reply is one to wait after; of a script that wrote nothing it is not
     */
    default CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        return CompletableFuture.failedFuture(StoreException.permanent("The client of " + this
                + " cannot wait for replicas, as minReplicas asks for: nothing was sent. Leave the option out, or use"
                + " a client whose port has runAcknowledged"));
    }

    /**
     * All keys that match a glob pattern, walked with {@code SCAN} on every primary, so that no single step holds a server
     * for long. May list a key twice, or miss one that came or went meanwhile.
     */
    CompletionStage<List<byte[]>> keys(byte[] pattern);

    /**
     * Subscribes to a channel until this port is closed, and again after every loss of the connection. All channels share
     * one connection, which is opened by the first call.
     */
    void subscribe(String channel, Subscriber subscriber);

    /**
     * Has {@code action}, which does not block, run each time scripts can be run again after the connection was lost.
     * Where a port cannot tell, waiters that pause after failures sleep their pauses out.
     */
    default void onReturn(Runnable action) {}

    /**
     * Asks every primary how it is set up, for {@link DurabilityReport}s: the same commands, such as {@code CONFIG GET
     * save}, of which none writes, to each in one pipeline. Some may be refused, which is no failure of the others. A store
     * that is {@linkplain RedisStoreOptions.Builder#strict() strict} is refused for good over a port that cannot do it.
     *
     * @return fails when a binding cannot do that, as this one does unless it is overridden (permanent), or when there is no
     *     primary to be asked now (transient)
     */
    default CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
        return CompletableFuture.failedFuture(
                StoreException.permanent("The binding of this Redis client cannot look at settings"));
    }

    /** Whether keys are spread over slots: the keys of one script must then share a hash tag. */
    boolean isCluster();

    /** The longest {@link #timeout()}: a day. */
    Duration MAX_TIMEOUT = Duration.ofDays(1);

    /**
     * How long a caller that blocks for an answer waits for it at most; from 1 ms to {@link #MAX_TIMEOUT}, and always the
     * same. A port with another one is refused where it is given to a store or a fence.
     */
    Duration timeout();

    /**
     * The shortest ttl of leases that this port can serve; zero when it serves all. One that blocks a thread for a call that
     * is not answered says twice its time-out: then a renewal that hung is over in time for a second one.
     */
    default Duration shortestTtl() {
        return Duration.ZERO;
    }

    /** Lets go of what this port opened; a client made by somebody else stays open. Idempotent. */
    @Override
    void close();

    /** The server, for messages: host and port, or whatever is known; never credentials. */
    @Override
    String toString();

    /**
     * What one primary answered to {@link #inspect}.
     *
     * @param server host and port, or whatever is known; never credentials
     * @param replies one for each command, in their order; each fails on its own
     */
    record Inspection(String server, List<CompletionStage<RedisReply>> replies) {
        /** Keeps a copy of the list. */
        public Inspection {
            replies = List.copyOf(replies);
        }
    }

    /** Told what becomes of a subscription, on a thread of the client's, one call at a time. Must not block. */
    interface Subscriber {
        /** A message came. */
        void message(byte[] payload);

        /** Messages published from now on arrive; earlier ones may have been missed. */
        void established();

        /** Messages do not arrive any more, until {@link #established()} is told. */
        void lost();

        /** The server does not allow the subscription; nothing is told until {@code subscribe} is called again. */
        void refused(StoreException reason);
    }
}
