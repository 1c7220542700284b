package io.tenure.examples;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A leader that comes too late: it sends its call after another was elected, as a process does that was paused, and the
 * service refuses it by the token.
 *
 * <pre>
 * mvn -q -pl examples -am package -DskipTests &amp;&amp; java -cp examples/target/examples.jar io.tenure.examples.StaleCaller redis://localhost:6379
 * </pre>
 */
public final class StaleCaller {
    private static final String NAME = "examples:register";

    private final RegisterClient register;
    private final ElectorOptions options;

    StaleCaller(RegisterClient register) {
        this.register = register;
        options = ElectorOptions.ofTtl(Duration.ofSeconds(5)).claims(register).build();
    }

    /** Lets one lead after the other, then has the first one call, and returns how it was refused. */
    StaleTokenException play(Tenure first, Tenure second) throws InterruptedException {
        long early = leadOnce(first.elector(NAME, options), "old");
        long late = leadOnce(second.elector(NAME, options), "new");
        System.out.println("Token " + early + " wrote, then token " + late);
        try {
            register.set(early, "too late");
        } catch (StaleTokenException e) {
            return e;
        }
        throw new IllegalStateException("Token " + early + " was accepted after " + late);
    }

    private long leadOnce(Elector elector, String value) throws InterruptedException {
        BlockingQueue<Long> done = new LinkedBlockingQueue<>();
        Candidacy candidacy = elector.campaign(term -> {
            register.set(term.token(), value);
            done.add(term.token());
            Thread.currentThread().join(); // goes on leading until the term ends
        });
        try (candidacy) {
            return done.take();
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        String uri = args.length > 0 ? args[0] : "redis://localhost:6379";
        try (FencedRegister service = new FencedRegister();
                Tenure first = Tenure.over(RedisLeaseStore.connect(uri))
                        .observer(System.out::println)
                        .open();
                Tenure second = Tenure.over(RedisLeaseStore.connect(uri))
                        .observer(System.out::println)
                        .open()) {
            StaleTokenException refusal = new StaleCaller(new RegisterClient(service.address())).play(first, second);
            System.out.println("Refused: " + refusal.getMessage());
            System.out.println("The value is still: " + service.value());
        }
    }
}
