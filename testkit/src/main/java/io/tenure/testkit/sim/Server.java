package io.tenure.testkit.sim;

import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.testkit.sim.NodeStore.Outcome;
import io.tenure.testkit.sim.Trace.What;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The one server: decides when a request arrives, and has every decision entered in the ledger. */
final class Server {
    private final World world;
    private final SimulatedServer simulated;
    private final Ledger ledger;
    private Health health = Health.UP;

    /** Whether it answers. */
    enum Health {
        UP,
        /** Answers that it cannot. */
        REFUSING,
        /** Does not answer, and does nothing. */
        SILENT
    }

    Server(World world, SimulatedServer simulated, Ledger ledger) {
        this.world = world;
        this.simulated = simulated;
        this.ledger = ledger;
    }

    void become(Health next) {
        health = next;
    }

    boolean isUp() {
        return health == Health.UP;
    }

    boolean isSilent() {
        return health == Health.SILENT;
    }

    LeaseStore connect() {
        return simulated.connection();
    }

    Outcome<Acquisition> acquire(Node node, LeaseRequest request, long seen) {
        return decided(request.claim().name(), () -> simulated.requests().acquire(request), answer -> {
            ledger.acquired(node, request, seen, answer);
            if (answer instanceof Acquisition.Granted granted) {
                world.note(node, What.GRANTED, request.claim().name(), granted.token());
            } else {
                world.note(
                        node,
                        What.DENIED,
                        request.claim().name(),
                        ((Acquisition.Denied) answer).current().token());
            }
        });
    }

    Outcome<Renewal> renew(RenewRequest request) {
        return decided(
                request.claim().name(),
                () -> simulated.requests().renew(List.of(request)).get(0),
                answer -> {
                    ledger.renewed(request.claim(), request.ttl().toNanos(), answer);
                    What what = answer instanceof Renewal.Renewed ? What.RENEWED : What.LOST;
                    world.note(
                            null, what, request.claim().name(), request.claim().token());
                });
    }

    Outcome<Boolean> release(ReleaseRequest request) {
        return decided(request.claim().name(), () -> simulated.requests().release(request), ours -> {
            ledger.released(request, ours);
            world.note(
                    null,
                    ours ? What.RELEASED : What.NOT_RELEASED,
                    request.claim().name(),
                    request.claim().token());
        });
    }

    private <T> Outcome<T> decided(
            String name, java.util.function.Supplier<CompletionStage<T>> verb, Consumer<T> entry) {
        if (health == Health.REFUSING) {
            world.note(null, What.REFUSED, name, 0);
            return new Outcome<>(null, StoreException.passing("The simulated server is down"));
        }
        try {
            T answer = now(verb.get());
            entry.accept(answer);
            return new Outcome<>(answer, null);
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                return new Outcome<>(null, failure);
            }
            throw e;
        }
    }

    private static <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!future.isDone()) {
            throw new IllegalStateException("a simulated server has to decide at once");
        }
        return future.join();
    }

    /** Somebody looks who has {@code name}. */
    Optional<LeaseRecord> look(String name) {
        return now(simulated.requests().find(name));
    }

    void evict(LeaseRecord seen) {
        boolean done = now(simulated.requests().evict(seen));
        ledger.evicted(seen, done);
        world.note(null, What.EVICTED, seen.name(), done ? seen.token() : 0);
    }

    /** A write under {@code grant} arrives at the resource. */
    boolean write(Node writer, Grant grant) {
        String name = grant.claim.name();
        boolean accepted;
        try {
            simulated.write(name, grant.claim.token());
            accepted = true;
        } catch (StaleTokenException e) {
            accepted = false;
        }
        ledger.written(grant, accepted);
        world.note(writer, accepted ? What.WRITE_ACCEPTED : What.WRITE_REFUSED, name, grant.claim.token());
        return accepted;
    }

    void loseEverything() {
        simulated.loseEverything();
        ledger.lostEverything();
        world.note(null, What.DATA_LOST, -1, 0);
    }

    void loseCounter(String name) {
        simulated.loseCounter(name);
        ledger.lostCounter(name);
        world.note(null, What.COUNTER_LOST, name, 0);
    }

    void loseMark(String name) {
        simulated.loseMark(name);
        ledger.lostMark(name);
        world.note(null, What.MARK_LOST, name, 0);
    }
}
