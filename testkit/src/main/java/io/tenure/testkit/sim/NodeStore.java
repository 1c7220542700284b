package io.tenure.testkit.sim;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import io.tenure.testkit.sim.Trace.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node's way to the server: requests and answers travel apart, and either may be late, lost, or come twice. */
final class NodeStore implements LeaseStore {
    private final World world;
    private final Node node;
    private final NodeWakeups wakeups;
    private int outstanding;
    private boolean closed;

    NodeStore(World world, Node node) {
        this.world = world;
        this.node = node;
        this.wakeups = new NodeWakeups(world, node);
    }

    /** How many calls have neither been answered nor cancelled. */
    int outstanding() {
        return outstanding;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void listen(StoreListener listener) {}

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        node.claims().asking(request);
        long seen = node.claims().seen(request.claim());
        world.note(
                node, What.SEND_ACQUIRE, request.claim().name(), request.claim().attempt());
        return one(
                () -> world.server().acquire(node, request, seen),
                answer -> node.claims().told(request.claim(), answer));
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        for (RenewRequest request : requests) {
            node.claims().renewing(request.claim());
            world.note(
                    node,
                    What.SEND_RENEW,
                    request.claim().name(),
                    request.claim().token());
        }
        List<Supplier<Outcome<Renewal>>> verbs = new ArrayList<>();
        List<Reader<Renewal>> readers = new ArrayList<>();
        for (RenewRequest request : requests) {
            verbs.add(() -> world.server().renew(request));
            readers.add(answer -> node.claims().told(request.claim(), answer));
        }
        return new ArrayList<>(send(verbs, readers));
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        node.claims().releasing(request);
        Claim claim = request.claim();
        world.note(node, What.SEND_RELEASE, claim.name(), claim.token());
        return one(() -> world.server().release(request), answer -> {});
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        throw new UnsupportedOperationException("a simulated node does not look up");
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        throw new UnsupportedOperationException("a simulated node does not list");
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        throw new UnsupportedOperationException("a simulated node does not evict");
    }

    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    @Override
    public void close() {
        closed = true;
        wakeups.disconnect();
    }

    private <T> CompletableFuture<T> one(Supplier<Outcome<T>> verb, Reader<T> reader) {
        return send(List.of(verb), List.of(reader)).get(0);
    }

    private <T> List<CompletableFuture<T>> send(List<Supplier<Outcome<T>>> verbs, List<Reader<T>> readers) {
        node.verdict().unless(!closed, "law 19", () -> node + " sent something after it had closed its store");
        List<CompletableFuture<T>> answers = new ArrayList<>(verbs.size());
        for (int i = 0; i < verbs.size(); i++) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            outstanding++;
            answer.whenComplete((value, failure) -> outstanding--);
            answers.add(answer);
        }
        world.network().carry(node, () -> {
            List<Outcome<T>> outcomes = new ArrayList<>(verbs.size());
            if (world.server().isSilent()) {
                return;
            }
            verbs.forEach(verb -> outcomes.add(verb.get()));
            world.network().carry(node, () -> node.deliver(() -> arrive(outcomes, answers, readers)));
        });
        return answers;
    }

    private <T> void arrive(List<Outcome<T>> outcomes, List<CompletableFuture<T>> answers, List<Reader<T>> readers) {
        for (int i = 0; i < answers.size(); i++) {
            CompletableFuture<T> answer = answers.get(i);
            T value = outcomes.get(i).value();
            StoreException failure = outcomes.get(i).failure();
            if (answer.isDone()) {
                continue;
            }
            node.signalled();
            world.note(node, What.ANSWERED, -1, failure == null ? 1 : 0);
            if (value != null) {
                readers.get(i).read(value);
                answer.complete(value);
            } else if (failure != null) {
                answer.completeExceptionally(failure);
            }
        }
    }

    /** What the server made of a request. */
    record Outcome<T>(@Nullable T value, @Nullable StoreException failure) {}

    /** Learns of an answer just before the engine does. */
    private interface Reader<T> {
        void read(T answer);
    }
}
