package io.tenure.redis;

import io.tenure.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Refuses servers that are set up in a way that loses leases or tokens in ordinary operation. Without state. */
final class StrictOpening {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private StrictOpening() {}

    /**
     * Looks, and blocks for the answers, as long as the client waits for one, and for 5 s at most.
     *
     * @throws StoreException a permanent one that names all dangers, or says that the port cannot look at all, which would
     *     let every server pass; a transient one when there was no answer
     */
    static void require(RedisPort port, DurabilityRules rules) {
        CompletableFuture<List<ServerFacts>> look = ServerFacts.ask(port).toCompletableFuture();
        Duration bound = port.timeout().compareTo(LONGEST) < 0 ? port.timeout() : LONGEST;
        try {
            List<ServerFacts> servers = look.get(bound.toMillis(), TimeUnit.MILLISECONDS);
            refuseBlind(port, servers);
            List<DurabilityReport.Finding> dangers = rules.report(port, servers).dangers();
            if (!dangers.isEmpty()) {
                throw StoreException.permanent(
                        "This store is strict, and refuses its server. " + DurabilityReport.inOneLine(dangers));
            }
        } catch (ExecutionException e) {
            throw (StoreException) RedisErrors.during(
                    "looking at " + port + ", which strict asks for", Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            throw StoreException.passing(
                    "This store is strict, and " + port + " did not tell how it is set up within " + bound.toMillis()
                            + " ms",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.passing("The thread was interrupted while it looked at " + port, e);
        }
    }

    private static void refuseBlind(RedisPort port, List<ServerFacts> servers) {
        for (ServerFacts facts : servers) {
            facts.blindness().ifPresent(reason -> {
                throw StoreException.permanent(
                        "This store is strict, which cannot be kept: its port cannot look at " + port
                                + ". It says: " + reason
                                + ". Use a port whose inspect works (one around another hands it on), or"
                                + " leave strict out");
            });
        }
    }
}
