package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BiConsumer;

/**
 * A seeded random life of one machine: whatever a store, a user, the work and a timer may plausibly do next, among it
 * answers that come late or twice, pushes at any time, and ticks that come too early and too late. {@link Witness}
 * checks every step.
 */
final class Walk {
    private static final Throwable[] ENDS = {
        null,
        null,
        new IllegalStateException("work"),
        new InterruptedException(),
        new LeaseLostException(Bench.NAME, 1, EndReason.EXPIRED),
        new StaleTokenException(Bench.NAME, 1, 90),
        new StackOverflowError()
    };

    private final Random random;
    private final Profile profile;
    private final LeaseMachine machine;
    private final Witness witness;
    private final BiConsumer<Transitions.Row, Phase> visited;
    /** Signals that effects have brought about and that the engine posts in order: turns, and ends of abandoned calls. */
    private final Deque<Signal> owed = new ArrayDeque<>();

    private long now;
    private long tokens = 10;
    private int signals;

    Walk(long seed, BiConsumer<Transitions.Row, Phase> visited) {
        this.random = new Random(seed);
        this.visited = visited;
        this.now = random.nextLong(1L << 50) - (1L << 49);
        this.profile = drawProfile();
        this.machine = drawMachine();
        this.witness = new Witness(profile, machine, now);
    }

    /** Goes on until the machine is over and has had some signals more, or {@code most} signals; how many there were. */
    int run(int most) {
        int after = 0;
        if (witness.once || witness.inLine) {
            owed.add(new Signal.Turn());
        }
        while (signals < most && after < 12) {
            step();
            after += machine.phase() == Phase.OVER ? 1 : 0;
        }
        return signals;
    }

    private Profile drawProfile() {
        boolean election = random.nextBoolean();
        long ttl = 100 + random.nextInt(900);
        Setting setting = (election ? Setting.election() : Setting.lock())
                .ttl(ttl)
                .renewEvery(!election && random.nextInt(3) == 0 ? 0 : pick(ttl * 32 / 100, ttl / 2, ttl / 10, 10))
                .retryEvery(pick(ttl / 2, 10, ttl - 1, 1))
                .drainTimeout(pick(ttl, ttl / 4, 3 * ttl, 1))
                .seed(random.nextLong());
        if (!election) {
            setting.maxHold(random.nextInt(4) == 0 ? pick(1, ttl, 3 * ttl) : LeaseMachine.NEVER);
            setting.holdAtLeast(random.nextInt(4) == 0 ? ttl : 0);
        } else if (random.nextInt(3) > 0) {
            setting = random.nextInt(3) == 0 ? setting.claims() : setting.work();
        }
        return setting.profile();
    }

    private LeaseMachine drawMachine() {
        if (profile.kind() == LeaseKind.ELECTION) {
            return LeaseMachine.candidate(profile, Standing.NEW, now);
        }
        if (random.nextInt(4) == 0) {
            return LeaseMachine.once(profile, now);
        }
        return LeaseMachine.waiter(
                profile, now, random.nextInt(3) == 0 ? LeaseMachine.NEVER : now + Bench.ms(1 + random.nextInt(2_000)));
    }

    private long pick(long... values) {
        return Math.max(1, values[random.nextInt(values.length)]);
    }

    private void step() {
        if (!owed.isEmpty() && random.nextInt(4) > 0) {
            give(owed.poll());
            return;
        }
        now += random.nextInt(3) == 0 ? 0 : random.nextLong(Bench.ms(random.nextInt(8) == 0 ? 400 : 12));
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5 -> tickWhenWanted();
            case 6, 7, 8, 9, 10, 11, 12 -> answer();
            case 13 -> give(new Signal.Wake(Duration.ofMillis(random.nextInt(3) * 25L)));
            case 14 -> lateAnswer();
            case 15 -> callOver();
            case 16, 17 -> work();
            case 18 -> give(new Signal.Refresh());
            case 19 -> end();
            case 20 -> give(new Signal.Tick());
            case 21 -> stray();
            default -> tickLate();
        }
    }

    /** As a timer does it: at the wanted time, or as early as the slack allows; and it must get the machine on. */
    private void tickWhenWanted() {
        long wanted = machine.nextTimer();
        if (wanted == LeaseMachine.NEVER) {
            return;
        }
        now = Math.max(now, random.nextBoolean() ? wanted : wanted - machine.timerSlack());
        for (int ticks = 0;
                machine.nextTimer() != LeaseMachine.NEVER && machine.nextTimer() - machine.timerSlack() <= now;
                ticks++) {
            if (ticks == 4) {
                throw new AssertionError("ticks at one time, without getting on: " + witness);
            }
            give(new Signal.Tick());
        }
    }

    private void tickLate() {
        long wanted = machine.nextTimer();
        if (wanted != LeaseMachine.NEVER && random.nextInt(3) == 0) {
            now = Math.max(now, wanted) + random.nextLong(Bench.ms(random.nextInt(3) == 0 ? 1_500 : 20));
            give(new Signal.Tick());
        }
    }

    private void answer() {
        Witness.Sent sent = witness.current;
        if (sent != null) {
            give(answerTo(sent));
        }
    }

    /** To a call that is not awaited any more. */
    private void lateAnswer() {
        if (!witness.history.isEmpty()) {
            Witness.Sent sent = witness.history.get(random.nextInt(witness.history.size()));
            if (sent != witness.current) {
                Phase before = machine.phase();
                if (!give(answerTo(sent)).isEmpty() || machine.phase() != before) {
                    throw new AssertionError("a late answer does something: " + witness);
                }
            }
        }
    }

    private Signal answerTo(Witness.Sent sent) {
        if (random.nextInt(5) == 0) {
            return new Signal.Failed(
                    sent.call(),
                    random.nextInt(8) == 0
                            ? StoreException.permanent("refused " + random.nextInt(2))
                            : StoreException.passing("down"));
        }
        OptionalLong regressed = random.nextInt(10) == 0 ? OptionalLong.of(1) : OptionalLong.empty();
        return switch (sent.what()) {
            case ACQUIRE ->
                random.nextInt(3) > 0
                        ? new Signal.Granted(sent.call(), ++tokens, regressed)
                        : new Signal.Denied(sent.call(), record(), random.nextInt(4), random.nextBoolean());
            case RENEW ->
                random.nextInt(6) > 0
                        ? new Signal.Renewed(sent.call(), regressed)
                        : new Signal.Lost(sent.call(), random.nextBoolean() ? Optional.of(record()) : Optional.empty());
            case RELEASE -> new Signal.Released(sent.call(), random.nextInt(5) > 0);
        };
    }

    private LeaseRecord record() {
        String holder = random.nextInt(3) == 0 ? Bench.HOLDER : "stranger";
        String incarnation = switch (random.nextInt(4)) {
            case 0 -> Bench.INCARNATION;
            case 1 -> "";
            default -> Bench.OTHER;
        };
        return Bench.heldBy(holder, incarnation, random.nextInt(4), tokens++, random.nextInt(600));
    }

    private void callOver() {
        if (!witness.outstanding.isEmpty()) {
            give(new Signal.CallOver(witness.outstanding.get(random.nextInt(witness.outstanding.size()))));
        }
    }

    private void work() {
        if (witness.workRunning) {
            if (profile.claims() && !witness.claimed && random.nextInt(3) > 0) {
                give(new Signal.Claimed());
            } else {
                give(new Signal.WorkEnded(ENDS[random.nextInt(random.nextInt(4) == 0 ? ENDS.length : 4)]));
            }
        }
    }

    private void end() {
        if (profile.kind() == LeaseKind.LOCK && witness.begun && random.nextInt(4) > 0) {
            give(new Signal.End(EndReason.RELEASED, witness.token));
        } else if (profile.kind() == LeaseKind.ELECTION && random.nextInt(8) > 0) {
            give(new Signal.End(EndReason.RESIGNED, random.nextInt(4) == 0 ? 1 : Math.max(1, witness.token)));
        } else if (random.nextInt(3) == 0) {
            give(new Signal.End(random.nextBoolean() ? EndReason.CLOSED : EndReason.INTERRUPTED, 0));
        }
    }

    /** What should not come now, but may, since others are slow to learn how things stand. */
    private void stray() {
        switch (random.nextInt(3)) {
            case 0 -> give(new Signal.CallOver(random.nextInt(50)));
            case 1 -> {
                if (machine.phase() != Phase.WAITING || witness.inLine && !witness.awaitsTurn) {
                    give(new Signal.Turn());
                }
            }
            default -> {
                if (!witness.workRunning && machine.phase() != Phase.HOLDING && machine.phase() != Phase.RENEWING) {
                    give(random.nextBoolean() ? new Signal.Claimed() : new Signal.WorkEnded(null));
                }
            }
        }
    }

    private List<Effect> give(Signal signal) {
        signals++;
        Phase from = machine.phase();
        boolean ignored = signal instanceof Signal.Answer answer
                && (witness.current == null || witness.current.call() != answer.call());
        witness.before(signal, now);
        List<Effect> effects = new ArrayList<>(machine.on(signal, now));
        if (!ignored) {
            visited.accept(Transitions.row(from, signal), machine.phase());
        }
        witness.after(effects);
        for (Effect effect : effects) {
            if (effect instanceof Effect.JoinLine) {
                owed.add(new Signal.Turn());
            } else if (effect instanceof Effect.Abandon abandoned && random.nextInt(4) > 0) {
                owed.add(new Signal.CallOver(abandoned.call()));
            }
        }
        return effects;
    }
}
