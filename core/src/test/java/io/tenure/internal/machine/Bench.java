package io.tenure.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A machine on hand-given times: its clock reads milliseconds since the bench was set up, and signals are given at the
 * present reading. The origin is far from zero, so that nothing works by the accident of an absolute time.
 */
final class Bench {
    static final String NAME = "n";
    static final String HOLDER = "h";
    static final String INCARNATION = "i1";
    static final String OTHER = "i2";
    private static final long ORIGIN = -77_000_000_000_000L;

    final LeaseMachine machine;
    private final List<Effect> all = new ArrayList<>();
    private long now = ORIGIN;
    private List<Effect> last = List.of();

    private Bench(LeaseMachine machine) {
        this.machine = machine;
    }

    static Bench candidate(Setting setting) {
        return candidate(setting, Standing.NEW);
    }

    static Bench candidate(Setting setting, Standing standing) {
        return new Bench(LeaseMachine.candidate(setting.profile(), standing, ORIGIN));
    }

    static Bench waiter(Setting setting, long budget) {
        return new Bench(LeaseMachine.waiter(
                setting.profile(), ORIGIN, budget == LeaseMachine.NEVER ? LeaseMachine.NEVER : ORIGIN + ms(budget)));
    }

    static Bench once(Setting setting) {
        return new Bench(LeaseMachine.once(setting.profile(), ORIGIN));
    }

    static long ms(long millis) {
        return millis * 1_000_000;
    }

    /** A bench that holds its lease, with token 10, asked for and granted at 0; the first renewal is not answered. */
    static Bench leader(Setting setting) {
        Bench bench = candidate(setting);
        bench.turn();
        bench.granted(10);
        return bench;
    }

    /** A lock that was asked for and granted, with token 10, at 0. */
    static Bench lock(Setting setting) {
        Bench bench = once(setting);
        bench.turn();
        bench.granted(10);
        return bench;
    }

    /** Sets the clock, without ticking. */
    Bench at(long millis) {
        long to = ORIGIN + ms(millis);
        assertThat(to).as("time does not run backwards").isGreaterThanOrEqualTo(now);
        now = to;
        return this;
    }

    Bench plusNanos(long nanos) {
        now += nanos;
        return this;
    }

    /** Ticks whenever the machine asks for it, until {@code millis}; what it emitted on the way is the last step. */
    List<Effect> runTo(long millis) {
        List<Effect> run = new ArrayList<>();
        long to = ORIGIN + ms(millis);
        for (int ticks = 0; machine.nextTimer() <= to; ticks++) {
            assertThat(ticks).as("ticks without an end").isLessThan(10_000);
            now = Math.max(now, machine.nextTimer());
            run.addAll(on(new Signal.Tick()));
        }
        now = to;
        last = run;
        return run;
    }

    List<Effect> on(Signal signal) {
        last = machine.on(signal, now);
        all.addAll(last);
        return last;
    }

    List<Effect> turn() {
        return on(new Signal.Turn());
    }

    List<Effect> tick() {
        return on(new Signal.Tick());
    }

    List<Effect> granted(long token) {
        return on(new Signal.Granted(acquire().call(), token, OptionalLong.empty()));
    }

    List<Effect> denied(LeaseRecord record) {
        return denied(record, 1, true);
    }

    List<Effect> denied(LeaseRecord record, int place, boolean pushed) {
        return on(new Signal.Denied(acquire().call(), record, place, pushed));
    }

    List<Effect> renewed() {
        return on(new Signal.Renewed(renewal().call(), OptionalLong.empty()));
    }

    List<Effect> lost(@Nullable LeaseRecord current) {
        return on(new Signal.Lost(renewal().call(), Optional.ofNullable(current)));
    }

    List<Effect> released(boolean ours) {
        return on(new Signal.Released(release().call(), ours));
    }

    List<Effect> failed(int call, StoreException cause) {
        return on(new Signal.Failed(call, cause));
    }

    List<Effect> end(EndReason reason) {
        return on(new Signal.End(reason, 0));
    }

    List<Effect> workEnded(@Nullable Throwable failure) {
        return on(new Signal.WorkEnded(failure));
    }

    List<Effect> woken(long after) {
        return on(new Signal.Wake(Duration.ofMillis(after)));
    }

    Effect.SendAcquire acquire() {
        return latest(Effect.SendAcquire.class);
    }

    Effect.SendRenew renewal() {
        return latest(Effect.SendRenew.class);
    }

    Effect.SendRelease release() {
        return latest(Effect.SendRelease.class);
    }

    Effect.Begin begun() {
        return latest(Effect.Begin.class);
    }

    Effect.Retire retired() {
        return latest(Effect.Retire.class);
    }

    Phase phase() {
        return machine.phase();
    }

    /** The latest effect of a kind. */
    <E extends Effect> E latest(Class<E> kind) {
        List<E> found = all(kind);
        assertThat(found).as(kind.getSimpleName()).isNotEmpty();
        return found.get(found.size() - 1);
    }

    /** Every effect of a kind, from the beginning. */
    <E extends Effect> List<E> all(Class<E> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The effects of a kind in the last step. */
    <E extends Effect> List<E> last(Class<E> kind) {
        return last.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<Effect> last() {
        return last;
    }

    /** All events, in order. */
    List<TenureEvent> events() {
        return all(Effect.Tell.class).stream().map(Effect.Tell::event).toList();
    }

    <E extends TenureEvent> List<E> events(Class<E> kind) {
        return events().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** A time of the machine, in milliseconds of this bench; fractions are cut off. */
    static long reading(long time) {
        return Math.floorDiv(time - ORIGIN, 1_000_000);
    }

    static long nanosOf(long time) {
        return time - ORIGIN;
    }

    long nextTimer() {
        return machine.nextTimer() == LeaseMachine.NEVER ? LeaseMachine.NEVER : reading(machine.nextTimer());
    }

    long now() {
        return reading(now);
    }

    static LeaseRecord heldBy(String holder, String incarnation, long attempt, long token, long remaining) {
        return LeaseRecord.of(NAME, holder, incarnation, attempt, token, Duration.ofMillis(remaining));
    }

    static LeaseRecord stranger(long token, long remaining) {
        return heldBy("stranger", "s1", 1, token, remaining);
    }

    static StoreException passing() {
        return StoreException.passing("the link is down");
    }

    /** What a machine is for, with spans in milliseconds. */
    static final class Setting {
        private LeaseKind kind = LeaseKind.ELECTION;
        private long ttl = 900;
        private long renewEvery = 200;
        private long retryEvery = 100;
        private long drainTimeout = 900;
        private long holdAtLeast;
        private long maxHold = LeaseMachine.NEVER;
        private boolean work;
        private boolean claims;
        private long seed = 1;

        /** A candidacy: ttl 900, renewals every 200, looks every 100. */
        static Setting election() {
            return new Setting();
        }

        /** A lock that is renewed, with the same spans. */
        static Setting lock() {
            Setting setting = new Setting();
            setting.kind = LeaseKind.LOCK;
            return setting;
        }

        Setting ttl(long span) {
            ttl = span;
            return this;
        }

        Setting renewEvery(long span) {
            renewEvery = span;
            return this;
        }

        Setting retryEvery(long span) {
            retryEvery = span;
            return this;
        }

        Setting drainTimeout(long span) {
            drainTimeout = span;
            return this;
        }

        Setting holdAtLeast(long span) {
            holdAtLeast = span;
            return this;
        }

        Setting maxHold(long span) {
            maxHold = span;
            return this;
        }

        Setting work() {
            work = true;
            return this;
        }

        Setting claims() {
            claims = true;
            return work();
        }

        Setting seed(long drawn) {
            seed = drawn;
            return this;
        }

        Profile profile() {
            return new Profile(
                    NAME,
                    HOLDER,
                    INCARNATION,
                    kind,
                    ms(ttl),
                    ms(renewEvery),
                    ms(retryEvery),
                    ms(drainTimeout),
                    ms(holdAtLeast),
                    maxHold == LeaseMachine.NEVER ? LeaseMachine.NEVER : ms(maxHold),
                    work,
                    claims,
                    seed);
        }
    }
}
