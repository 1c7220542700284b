package io.tenure.testkit;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A store that does as it is told, over one that works: it fails, forgets to answer, answers late, and delivers requests
 * late, twice or in another order, as a network and a server can. Each client of a shared store can have faults of its
 * own. Thread-safe.
 *
 * <!-- snippet: testkit/src/test/java/io/tenure/testkit/FaultyStoreTest.java#javadoc -->
 * <pre>{@code
 * FaultyStore store = FaultyStore.over(MemoryLeaseStore.on(time));
 * store.faults().next(Verb.RENEW, Fault.none(), Fault.fail(StoreException.passing("connection reset")));
 * }</pre>
 */
public final class FaultyStore implements LeaseStore {
    private final LeaseStore target;
    private final FaultyWakeups wakeups;
    private final Faults faults;

    private FaultyStore(LeaseStore target) {
        this.target = Objects.requireNonNull(target, "target");
        this.wakeups = new FaultyWakeups(target.wakeups());
        this.faults = new Faults(wakeups);
    }

    /** Does everything by {@code target}, without a fault as long as none was ordered; closes it when closed. */
    public static FaultyStore over(LeaseStore target) {
        return new FaultyStore(target);
    }

    /** Where faults are ordered and calls are seen. */
    public Faults faults() {
        return faults;
    }

    @Override
    public String canonicalName(String name) {
        return target.canonicalName(name);
    }

    @Override
    public Duration shortestTtl() {
        return target.shortestTtl();
    }

    @Override
    public void listen(StoreListener listener) {
        target.listen(listener);
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        return one(new Call.Acquire(request), () -> target.acquire(request));
    }

    /** As without the thread, which is offered to the other store with whatever is sent there. */
    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request, Executor waiting) {
        return one(new Call.Acquire(request), () -> target.acquire(request, waiting));
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return message(new Call.Renew(requests), requests.size(), () -> target.renew(requests));
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return one(new Call.Release(request), () -> target.release(request));
    }

    /** As {@link #acquire(LeaseRequest, Executor)}. */
    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request, Executor waiting) {
        return one(new Call.Release(request), () -> target.release(request, waiting));
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        return one(new Call.Find(name), () -> target.find(name));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return one(new Call.Listing(prefix, limit), () -> target.list(prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        return one(new Call.Evict(seen), () -> target.evict(seen));
    }

    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    @Override
    public void close() {
        target.close();
    }

    private <T> CompletionStage<T> one(Call call, Supplier<CompletionStage<T>> send) {
        return message(call, 1, () -> List.of(send.get())).get(0);
    }

    private <T> List<CompletionStage<T>> message(Call call, int size, Supplier<List<CompletionStage<T>>> send) {
        Fault fault = faults.take(call);
        List<? extends CompletionStage<T>> answers =
                fault.kind() == Fault.Kind.NONE ? send.get() : faulty(fault, size, send);
        answers.forEach(answer -> answer.whenComplete((value, failure) -> faults.noteAnswer(call.verb())));
        return List.copyOf(answers);
    }

    private <T> List<CompletableFuture<T>> faulty(Fault fault, int size, Supplier<List<CompletionStage<T>>> send) {
        List<CompletableFuture<T>> answers =
                Stream.generate(() -> new CompletableFuture<T>()).limit(size).toList();
        switch (fault.kind()) {
            case NONE, DROP_REQUEST -> {}
            case FAIL -> fail(answers, fault.failure());
            case FAIL_AFTERWARDS -> failAfter(send.get(), answers, fault.failure());
            case DROP_ANSWER -> send.get();
            case HOLD_REQUEST -> faults.hold(() -> pass(send.get(), answers));
            case HOLD_ANSWER -> {
                List<CompletionStage<T>> done = send.get();
                faults.hold(() -> pass(done, answers));
            }
            case DUPLICATE -> {
                pass(send.get(), answers);
                faults.hold(send::get);
            }
        }
        return answers;
    }

    private static <T> void fail(List<CompletableFuture<T>> answers, StoreException failure) {
        answers.forEach(answer -> answer.completeExceptionally(failure));
    }

    private static <T> void failAfter(
            List<CompletionStage<T>> done, List<CompletableFuture<T>> answers, StoreException failure) {
        for (int i = 0; i < answers.size(); i++) {
            CompletableFuture<T> answer = answers.get(i);
            done.get(i).whenComplete((value, ignored) -> answer.completeExceptionally(failure));
        }
    }

    private static <T> void pass(List<CompletionStage<T>> from, List<CompletableFuture<T>> answers) {
        for (int i = 0; i < answers.size(); i++) {
            CompletableFuture<T> answer = answers.get(i);
            from.get(i).whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
                    answer.completeExceptionally(wrapped ? failure.getCause() : failure);
                }
            });
        }
    }
}
