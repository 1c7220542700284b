package io.tenure.examples;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.time.Duration;

/**
 * A service of which one instance works and the others stand by. Start it twice, stop the one that works by Ctrl-C: the
 * other takes over at once. Kill it by {@code kill -9} instead: the other takes over when the lease has expired.
 *
 * <pre>
 * mvn -q -pl examples -am package -DskipTests &amp;&amp; java -cp examples/target/examples.jar io.tenure.examples.SingletonService redis://localhost:6379
 * </pre>
 */
public final class SingletonService {
    static final String NAME = "examples:singleton";
    static final String RESULT = "examples:singleton:result";

    private final RedisFence fence;

    SingletonService(RedisFence fence) {
        this.fence = fence;
    }

    /** The work of one term. What it throws ends the term, and is told to the observer. */
    void lead(Term term) throws InterruptedException {
        try {
            for (long step = 1; ; step++) {
                // A StaleTokenException or StoreException goes on to the caller:
                // this instance steps down, and stands again after a back-off.
                fence.hset(term.token(), RESULT, "step", Long.toString(step));
                Thread.sleep(200); // interrupted the moment the term ends, for whatever reason
            }
        } catch (InterruptedException e) {
            // When this process is to stop, the lease is kept until this method returns: this write is accepted.
            // When the lease was lost, the write is refused as soon as there is a successor.
            fence.hset(term.token(), RESULT, "stopped", Long.toString(term.token()));
            throw e;
        }
    }

    public static void main(String[] args) {
        String uri = args.length > 0 ? args[0] : "redis://localhost:6379";
        ElectorOptions options = ElectorOptions.ofTtl(Duration.ofSeconds(5))
                .drainTimeout(Duration.ofSeconds(3)) // how long the work may take to end
                .build();
        StopSignal.interrupts(Thread.currentThread(), Duration.ofSeconds(10));
        try {
            RedisLeaseStore redis = RedisLeaseStore.connect(uri);
            try (Tenure tenure =
                    Tenure.over(redis).observer(System.out::println).open()) {
                SingletonService service = new SingletonService(redis.fence(NAME));
                Elector elector = tenure.elector(NAME, options);
                elector.run(service::lead);
            }
        } catch (InterruptedException e) {
            // run() has ended the term, waited for the work and released the lease;
            // then the Tenure was closed, and the connection with it.
            System.out.println("Stopped");
        } catch (StoreException e) {
            // So connecting tells of an interrupt, and keeps the flag; anything else is a failure.
            if (!Thread.currentThread().isInterrupted()) {
                throw e;
            }
            System.out.println("Stopped");
        }
    }
}
