package io.tenure.memory;

import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.Tokens;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one memory store share, and the rules by which it changes: the counterpart of a server. One lock
 * guards everything; what others have to be told is collected under it and told after it was left, by whichever thread
 * leaves it.
 */
final class MemoryServer {
    /** How much later than the first in line the second looks, lest a paused first strands the rest. */
    private static final Duration SECOND_LOOKS_LATER = Duration.ofMillis(50);
    /** Names looked at per operation for what has expired: more than an operation can add, so garbage cannot pile up. */
    private static final int SWEPT_PER_OPERATION = 2;

    private final LongSupplier clock;
    private final TokenMint mint;
    private final long retention;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Slot> slots = new HashMap<>();
    private final Queue<Slot> sweep = new ArrayDeque<>();
    private final Registrations registrations = new Registrations();
    private final Queue<Runnable> announcements = new ConcurrentLinkedQueue<>();

    MemoryServer(LongSupplier clock, TokenSource tokens, Duration retention) {
        this.clock = clock;
        this.mint = new TokenMint(tokens, clock.getAsLong());
        this.retention = retention.toNanos();
    }

    Acquisition acquire(LeaseRequest request, StoreListener reports) {
        return atomically(() -> {
            long now = clock.getAsLong();
            Slot slot = slot(request.claim().name(), now);
            Holding held = slot.lease;
            if (held != null && held.isOf(request.claim())) {
                return again(request, slot, held, now);
            }
            if (held != null && !held.yieldsTo(request.claim(), request.takeover())) {
                return denied(request, slot, held, now);
            }
            return granted(request, slot, now, reports);
        });
    }

    private Acquisition again(LeaseRequest request, Slot slot, Holding held, long now) {
        slot.lease = held.lasting(now + request.ttl().toNanos());
        slot.line.leave(request.claim().incarnation());
        use(slot, request.kind(), request.ttl().toNanos(), now);
        return new Acquisition.Granted(held.token(), OptionalLong.empty());
    }

    private Acquisition denied(LeaseRequest request, Slot slot, Holding held, long now) {
        String waiter = request.claim().incarnation();
        if (!request.lineFor().isZero()) {
            slot.line.enter(waiter, now, request.lineFor().toNanos());
        }
        return new Acquisition.Denied(held.seen(slot.name, now), slot.line.place(waiter, now));
    }

    private Acquisition granted(LeaseRequest request, Slot slot, long now, StoreListener reports) {
        long counted = slot.counter; // a mark that is higher does not make a counter that was lost a good one
        long token = mint(slot, request.floor(), now, reports);
        slot.lease = Holding.granted(request.claim(), token, now + request.ttl().toNanos());
        slot.stampTo(token);
        slot.line.leave(request.claim().incarnation());
        use(slot, request.kind(), request.ttl().toNanos(), now);
        return new Acquisition.Granted(
                token, request.floor() > counted ? OptionalLong.of(counted) : OptionalLong.empty());
    }

    Renewal renew(RenewRequest request) {
        return atomically(() -> {
            long now = clock.getAsLong();
            Slot slot = slot(request.claim().name(), now);
            Holding held = slot.lease;
            if (held == null || !held.isWholly(request.claim()) || slot.tokens() > held.token()) {
                return new Renewal.Lost(slot.seen(now));
            }
            long own = Math.min(slot.counter, slot.mark);
            slot.stampTo(held.token());
            slot.lease = held.lasting(now + request.ttl().toNanos());
            use(slot, request.kind(), request.ttl().toNanos(), now);
            return new Renewal.Renewed(own < held.token() ? OptionalLong.of(own) : OptionalLong.empty());
        });
    }

    boolean release(ReleaseRequest request, StoreListener reports) {
        return atomically(() -> {
            long now = clock.getAsLong();
            Claim claim = request.claim();
            Slot slot = slot(claim.name(), now);
            Holding held = slot.lease;
            Holding ours = held != null && (claim.token() == 0 ? held.isOf(claim) : held.isWholly(claim)) ? held : null;
            boolean ranOut = held == null && claim.token() != 0 && claim.token() == slot.tokens();
            if (request.mode() == ReleaseMode.BURN && (ours != null || ranOut)) {
                // Also when the lease ran out: until the next grant its token is current, and abandoned work may write.
                burn(slot, ours != null ? ours.token() : claim.token(), now, reports);
            }
            if (ours != null) {
                long holdFor = request.holdFor().toNanos();
                slot.lease = holdFor == 0 ? null : ours.lasting(now + holdFor);
                wakeFirst(slot, now, request.holdFor(), reports);
            }
            return ours != null;
        });
    }

    boolean evict(LeaseRecord seen, StoreListener reports) {
        return atomically(() -> {
            long now = clock.getAsLong();
            Slot slot = slot(seen.name(), now);
            Holding held = slot.lease;
            if (held == null || !held.isAsSeen(seen)) {
                return false;
            }
            burn(slot, held.token(), now, reports);
            slot.lease = null;
            wakeFirst(slot, now, Duration.ZERO, reports);
            return true;
        });
    }

    private void burn(Slot slot, long token, long now, StoreListener reports) {
        slot.stampTo(mint(slot, token, now, reports));
        use(slot, LeaseKind.LOCK, 0, now);
    }

    Optional<LeaseRecord> find(String name) {
        return atomically(() -> {
            long now = clock.getAsLong();
            return slot(name, now).seen(now);
        });
    }

    List<LeaseRecord> list(String prefix, int limit) {
        return atomically(() -> {
            long now = clock.getAsLong();
            return slots.values().stream()
                    .filter(slot -> slot.name.startsWith(prefix))
                    .flatMap(slot -> slot.asOf(now).seen(now).stream())
                    .sorted(Comparator.comparing(LeaseRecord::name))
                    .limit(Math.max(0, limit))
                    .toList();
        });
    }

    /** Runs {@code write} under the check that {@code token} is current. */
    <T extends @Nullable Object> T fenced(String name, long token, Supplier<T> write, StoreListener reports) {
        return atomically(() -> {
            long now = clock.getAsLong();
            Slot slot = slot(name, now);
            if (!Tokens.isValid(token) || token != slot.tokens()) {
                long current = slot.tokens();
                announcements.add(() -> reports.report(new TenureEvent.FenceRejected(name, token, current)));
                throw new StaleTokenException(name, token, current);
            }
            T result = write.get();
            slot.mark = Math.max(slot.mark, token);
            use(slot, LeaseKind.LOCK, 0, now);
            return result;
        });
    }

    void register(Registrations.Entry entry) {
        atomically(() -> registrations.add(entry));
    }

    void unregister(Registrations.Entry entry) {
        atomically(() -> registrations.remove(entry));
    }

    /** Takes a waiter that gives up out of the line, and hands on a wake-up that it may have been given. */
    void leave(Registrations.Entry entry, StoreListener reports) {
        atomically(() -> {
            registrations.remove(entry);
            if (registrations.has(entry.name(), entry.waiter())) {
                return true;
            }
            long now = clock.getAsLong();
            Slot slot = slot(entry.name(), now);
            slot.line.leave(entry.waiter());
            if (slot.lease == null) {
                wakeFirst(slot, now, Duration.ZERO, reports);
            }
            return true;
        });
    }

    void plant(String name, String value, Duration ttl) {
        atomically(() -> {
            long now = clock.getAsLong();
            Slot slot = slot(name, now);
            slot.lease = Holding.written(value, now + ttl.toNanos());
            slot.keepTokensForEver(); // nothing tells how long others need them
            return true;
        });
    }

    void loseEverything() {
        atomically(() -> {
            slots.clear();
            sweep.clear();
            return true;
        });
    }

    void loseCounter(String name) {
        atomically(() -> slot(name, clock.getAsLong()).counter = 0);
    }

    void loseMark(String name) {
        atomically(() -> slot(name, clock.getAsLong()).mark = 0);
    }

    int names() {
        return atomically(slots::size);
    }

    private <T extends @Nullable Object> T atomically(Supplier<T> step) {
        lock.lock();
        try {
            T result = step.get();
            sweepSome();
            return result;
        } finally {
            lock.unlock();
            announce();
        }
    }

    /** A step within a fenced write leaves the telling to the write, which still has the lock. */
    private void announce() {
        if (!lock.isHeldByCurrentThread()) {
            for (Runnable next = announcements.poll(); next != null; next = announcements.poll()) {
                next.run();
            }
        }
    }

    private Slot slot(String name, long now) {
        Slot known = slots.get(name);
        if (known == null) {
            known = new Slot(name);
            slots.put(name, known);
            sweep.add(known);
        }
        return known.asOf(now);
    }

    private void sweepSome() {
        long now = clock.getAsLong();
        for (int i = 0; i < SWEPT_PER_OPERATION && !sweep.isEmpty(); i++) {
            Slot next = sweep.remove();
            if (next.asOf(now).isEmpty(now)) {
                slots.remove(next.name);
            } else {
                sweep.add(next);
            }
        }
    }

    private long mint(Slot slot, long floor, long now, StoreListener reports) {
        long known = Math.max(slot.tokens(), floor);
        return mint.next(slot.name, known, now, event -> announcements.add(() -> reports.report(event)));
    }

    private void use(Slot slot, LeaseKind kind, long ttl, long now) {
        if (kind == LeaseKind.ELECTION || !mint.usesClock()) {
            slot.keepTokensForEver();
        } else {
            slot.keepTokensUntil(now + Math.max(retention, 2 * ttl));
        }
    }

    private void wakeFirst(Slot slot, long now, Duration freeIn, StoreListener reports) {
        Duration look = freeIn;
        for (String waiter : slot.line.first(2, now, each -> registrations.has(slot.name, each))) {
            Duration after = look;
            registrations.of(slot.name, waiter).forEach(entry -> announcements.add(() -> wake(entry, after, reports)));
            look = look.plus(SECOND_LOOKS_LATER);
        }
    }

    private static void wake(Registrations.Entry entry, Duration after, StoreListener reports) {
        try {
            entry.listener().wake(after);
        } catch (RuntimeException e) {
            reports.report(new TenureEvent.StoreWarning(
                    "A waiter for '" + entry.name() + "' could not be woken, and has to find out by itself: " + e));
        }
    }
}
