package io.tenure.examples.docs;

import io.tenure.StoreException;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The port of docs/binding-a-client.md: somebody else's, with a trace of every script and subscription. */
final class TracedPort implements RedisPort {

    /** Where traces go; called on the client's threads, so it must not block. */
    interface Trace {
        void ran(String script, Duration took, boolean answered);

        void pushes(String channel, String state);
    }

    private final RedisPort port;
    private final Trace trace;

    TracedPort(RedisPort port, Trace trace) {
        this.port = port;
        this.trace = trace;
    }

    // tag::run
    @Override
    public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
        long begin = System.nanoTime();
        return traced(script, begin, port.run(script, keys, args));
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        long begin = System.nanoTime();
        return traced(script, begin, port.runAcknowledged(wanted, wait, script, keys, args));
    }

    private <T> CompletionStage<T> traced(RedisScript script, long begin, CompletionStage<T> answer) {
        answer.whenComplete((reply, failure) ->
                trace.ran(script.name(), Duration.ofNanos(System.nanoTime() - begin), failure == null));
        // Not what whenComplete returned: cancelling that would not take the command back.
        return answer;
    }
    // end::run

    // tag::subscribe
    @Override
    public void subscribe(String channel, Subscriber subscriber) {
        port.subscribe(channel, new Subscriber() {
            @Override
            public void message(byte[] payload) {
                trace.pushes(channel, "message");
                subscriber.message(payload);
            }

            @Override
            public void established() {
                trace.pushes(channel, "established");
                subscriber.established();
            }

            @Override
            public void lost() {
                trace.pushes(channel, "lost");
                subscriber.lost();
            }

            @Override
            public void refused(StoreException reason) {
                trace.pushes(channel, "refused");
                subscriber.refused(reason);
            }
        });
    }
    // end::subscribe

    // tag::rest
    @Override
    public CompletionStage<List<byte[]>> keys(byte[] pattern) {
        return port.keys(pattern);
    }

    @Override
    public CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
        return port.inspect(commands); // has a default, with which a strict store is refused
    }

    @Override
    public void onReturn(Runnable action) {
        port.onReturn(action); // has a default, which would leave waiters to their pauses
    }

    @Override
    public boolean isCluster() {
        return port.isCluster();
    }

    @Override
    public Duration timeout() {
        return port.timeout();
    }

    @Override
    public Duration shortestTtl() {
        return port.shortestTtl(); // has a default too, which would let leases be shorter than a call may hang
    }

    @Override
    public void close() {
        port.close();
    }

    @Override
    public String toString() {
        return port.toString();
    }
    // end::rest
}
