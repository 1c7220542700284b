package io.tenure.redis.fleet;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Faults;
import io.tenure.testkit.FaultyStore;
import io.tenure.testkit.Verb;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** An instance of ours that contends for one role of a mixed fleet. */
final class JavaInstance implements AutoCloseable {
    final RedisLeaseStore store;
    /** What becomes of its calls, and which it has made. */
    final Faults wire;

    final Tenure tenure;
    final Elector elector;
    final RedisFence fence;
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    JavaInstance(String uri, String role, String holder, TokenSource tokens, ElectorOptions options) {
        store = RedisLeaseStore.connect(
                uri, RedisStoreOptions.builder().tokens(tokens).build());
        FaultyStore faulty = FaultyStore.over(store);
        wire = faulty.faults();
        tenure = Tenure.over(faulty).holder(holder).observer(events::add).open();
        elector = tenure.elector(role, options);
        fence = store.fence(role);
    }

    /** Stands for election, and waits until it leads. Returns its token. */
    long leads() {
        elector.campaign();
        return awaitTerm();
    }

    /** The token of the term that it has or is going to have. */
    long awaitTerm() {
        AtomicLong token = new AtomicLong();
        Fleet.until(tenure.holder() + " leads", () -> {
            elector.token().ifPresent(token::set);
            return token.get() != 0;
        });
        return token.get();
    }

    /** Stands for election, and waits until it follows somebody else. */
    void follows() {
        elector.campaign();
        Fleet.until(
                tenure.holder() + " follows",
                () -> !events(TenureEvent.Following.class).isEmpty());
    }

    /** Waits until it has looked {@code times} more whether the lease is free. */
    void looks(int times) {
        long looked = wire.count(Verb.ACQUIRE);
        Fleet.until(tenure.holder() + " looks", () -> wire.count(Verb.ACQUIRE) >= looked + times);
    }

    /** Its calls fail from now on, and none is on its way any more; writes through its fence go on. */
    void cutOff() {
        int failed = failures();
        for (Verb verb : Verb.values()) {
            wire.always(verb, Fault.fail(StoreException.passing("cut off")));
        }
        wire.losePushes();
        // One call at a time: the one before has been answered.
        Fleet.until(tenure.holder() + " is cut off", () -> failures() > failed);
    }

    private int failures() {
        return events(TenureEvent.RenewalFailed.class).size()
                + events(TenureEvent.AttemptFailed.class).size();
    }

    <E extends TenureEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** As a loss tells it: the reason why its last term ended; waits for it. */
    TenureEvent.SteppedDown steppedDown() {
        Fleet.until(
                tenure.holder() + " steps down",
                () -> !events(TenureEvent.SteppedDown.class).isEmpty());
        return events(TenureEvent.SteppedDown.class).get(0);
    }

    @Override
    public void close() {
        wire.heal();
        tenure.close();
    }
}
