package io.tenure.testkit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The script of a {@link FaultyStore}: what becomes of its next calls, which calls were made, and what is under way.
 * Thread-safe.
 */
public final class Faults {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Verb, Deque<Fault>> next = new EnumMap<>(Verb.class);
    private final Map<Verb, Fault> always = new EnumMap<>(Verb.class);
    private final List<Call> calls = new ArrayList<>();
    private final Map<Verb, Integer> answers = new EnumMap<>(Verb.class);
    private final Deque<Runnable> underWay = new ArrayDeque<>();
    private final FaultyWakeups wakeups;

    Faults(FaultyWakeups wakeups) {
        this.wakeups = wakeups;
    }

    /** Gives one fault to each of the next calls of {@code verb}, after those that were given some before. */
    public Faults next(Verb verb, Fault... faults) {
        lock.lock();
        try {
            next.computeIfAbsent(verb, key -> new ArrayDeque<>()).addAll(List.of(faults));
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** Gives {@code fault} to each of the next {@code times} calls of {@code verb}, as {@link #next} does. */
    public Faults nextTimes(int times, Verb verb, Fault fault) {
        for (int i = 0; i < times; i++) {
            next(verb, fault);
        }
        return this;
    }

    /** Gives {@code fault} to every call of {@code verb} that {@link #next} gives none to, until {@link #heal()}. */
    public Faults always(Verb verb, Fault fault) {
        lock.lock();
        try {
            always.put(verb, fault);
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** Lets all calls go well from now on, and pushes arrive. What is under way stays so. */
    public void heal() {
        lock.lock();
        try {
            next.clear();
            always.clear();
        } finally {
            lock.unlock();
        }
        wakeups.restore();
    }

    /** The calls that were made, in order. */
    public List<Call> calls() {
        lock.lock();
        try {
            return List.copyOf(calls);
        } finally {
            lock.unlock();
        }
    }

    /** How many calls of {@code verb} were made. */
    public long count(Verb verb) {
        return calls().stream().filter(call -> call.verb() == verb).count();
    }

    /** How many calls of {@code verb} have been answered, each request of a batch for itself; by a failure, too. */
    public int answered(Verb verb) {
        lock.lock();
        try {
            return answers.getOrDefault(verb, 0);
        } finally {
            lock.unlock();
        }
    }

    /** How many requests and answers are under way. */
    public int underWay() {
        lock.lock();
        try {
            return underWay.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers the request or the answer that has been under way for longest, on the calling thread.
     *
     * @throws IllegalStateException when none is
     */
    public void deliverOldest() {
        take(underWay::pollFirst).run();
    }

    /**
     * Delivers the request or the answer that was held last, so that it overtakes the others.
     *
     * @throws IllegalStateException when none is under way
     */
    public void deliverNewest() {
        take(underWay::pollLast).run();
    }

    /** Delivers what is under way now, oldest first; what is held meanwhile stays under way. */
    public void deliverAll() {
        List<Runnable> all;
        lock.lock();
        try {
            all = List.copyOf(underWay);
            underWay.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(Runnable::run);
    }

    /** Loses every push until {@link #heal()}, while the store believes that they arrive. */
    public void losePushes() {
        wakeups.lose();
    }

    /** Breaks the push until {@link #heal()}: the store knows that none arrives. Healed, it tells everybody to look. */
    public void breakPushes() {
        wakeups.sever();
    }

    /** Tells everybody who waits for {@code name} by this store to look in {@code after}, without a reason. */
    public void wake(String name, Duration after) {
        wakeups.wake(name, after);
    }

    Fault take(Call call) {
        lock.lock();
        try {
            calls.add(call);
            Deque<Fault> queued = next.get(call.verb());
            Fault first = queued == null ? null : queued.poll();
            return first != null ? first : always.getOrDefault(call.verb(), Fault.none());
        } finally {
            lock.unlock();
        }
    }

    void noteAnswer(Verb verb) {
        lock.lock();
        try {
            answers.merge(verb, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    void hold(Runnable delivery) {
        lock.lock();
        try {
            underWay.add(delivery);
        } finally {
            lock.unlock();
        }
    }

    private Runnable take(Supplier<@Nullable Runnable> from) {
        lock.lock();
        try {
            Runnable delivery = from.get();
            if (delivery == null) {
                throw new IllegalStateException(
                        "nothing is under way: no call was given a fault that holds something back");
            }
            return delivery;
        } finally {
            lock.unlock();
        }
    }
}
