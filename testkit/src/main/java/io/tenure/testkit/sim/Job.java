package io.tenure.testkit.sim;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.testkit.sim.Trace.What;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One node's use of one lock, and the judge of what its waiters get. */
final class Job {
    private static final int MOST_WAITERS = 3;

    private final World world;
    private final Node node;
    private final Subject subject;
    private final Conditions conditions;
    private final LockOptions options;
    private final LeaseLock lock;
    private int waiting;

    Job(World world, Node node, Subject subject, Tenure tenure) {
        this.world = world;
        this.node = node;
        this.subject = subject;
        this.conditions = world.conditions();
        Chance chance = world.chance();
        long ttl = conditions.lockTtl();
        LockOptions.Builder builder = LockOptions.ofTtl(Duration.ofNanos(ttl))
                .retryEvery(Duration.ofNanos(chance.between(ttl / 20, ttl / 4)));
        if (chance.of(0.5)) {
            builder.renewed();
        }
        if (chance.of(0.2)) {
            builder.maxHold(Duration.ofNanos(chance.between(ttl / 2, 2 * ttl)));
        }
        if (chance.of(0.2)) {
            builder.holdAtLeast(Duration.ofNanos(ttl / 3));
        }
        this.options = builder.build();
        this.lock = tenure.lock(subject.name(), options);
    }

    void act() {
        if (!world.isCalm() && waiting < MOST_WAITERS && world.chance().of(0.3)) {
            ask(
                    world.chance().of(0.2)
                            ? 0
                            : world.chance().between(1, 3 * conditions.ttl() / Conditions.MILLI) * Conditions.MILLI);
        }
    }

    private void ask(long budget) {
        long askedAt = node.timeline().nanos();
        waiting++;
        node.signalled();
        world.note(node, What.ASKED, subject.index(), budget);
        CompletableFuture<Optional<HeldLock>> answer =
                lock.tryAcquireAsync(Duration.ofNanos(budget)).toCompletableFuture();
        answer.whenComplete((held, failure) -> {
            waiting--;
            answered(askedAt, budget, held, failure);
        });
        long bound = budget == 0 ? Math.max(options.retryEvery().toNanos(), 1_000 * Conditions.MILLI) : budget;
        node.afterRunning(
                bound + bound / 500 + Conditions.MILLI + conditions.timerLag(),
                () -> world.verdict()
                        .unless(
                                answer.isDone(),
                                "law 24",
                                () -> node + " still waits for '" + subject.name() + "' after " + bound / 1e6 + " ms"));
        if (world.chance().of(0.1)) {
            world.agenda()
                    .in(
                            world.chance().between(1, budget + 1),
                            () -> node.deliver(() -> {
                                if (answer.cancel(true)) {
                                    node.signalled();
                                    world.note(node, What.CANCELLED, subject.index(), 0);
                                }
                            }));
        }
    }

    /** Learns what became of a wait. Nothing may be thrown from here: the stage would swallow it. */
    @SuppressWarnings("NullableOptional") // a stage tells of a failure by null
    private void answered(long askedAt, long budget, @Nullable Optional<HeldLock> held, @Nullable Throwable failure) {
        long waited = node.timeline().nanos() - askedAt;
        if (failure instanceof CancellationException) {
            return;
        }
        boolean early = budget > 0 && waited < budget;
        if (held != null && held.isPresent()) {
            world.note(node, What.SERVED, subject.index(), held.get().token());
            use(held.get());
        } else if (held != null) {
            world.note(node, What.UNSERVED, subject.index(), waited);
            world.verdict()
                    .unless(
                            !early,
                            "law 24",
                            () -> node + " gave up '" + subject.name() + "' after " + waited + " ns of " + budget);
        } else if (failure instanceof StoreException) {
            world.note(node, What.FAILED, subject.index(), waited);
            world.verdict()
                    .unless(
                            !early,
                            "law 24",
                            () -> node + " failed for '" + subject.name() + "' before its budget: " + failure);
        } else {
            world.verdict()
                    .unless(
                            node.state() != Node.State.ALIVE && failure instanceof IllegalStateException,
                            "law 24",
                            () -> node + " failed for '" + subject.name() + "' with " + failure);
        }
    }

    private void use(HeldLock held) {
        long ttl = conditions.lockTtl();
        Grant grant = node.hold(held, ttl);
        Chance chance = world.chance();
        long use = chance.between(0, 2 * ttl);
        if (chance.of(0.6)) {
            world.write(node, grant, chance.of(0.3) ? 3 * ttl : use);
        }
        if (chance.of(0.3)) {
            world.agenda()
                    .in(
                            use / 2,
                            () -> node.deliver(() -> {
                                node.signalled();
                                held.refreshAsync();
                            }));
        }
        if (options.isRenewed() || chance.of(0.7)) {
            world.agenda()
                    .in(
                            use,
                            () -> node.deliver(() -> {
                                node.signalled();
                                world.note(node, What.RELEASING, subject.index(), held.token());
                                held.releaseAsync();
                                world.verdict()
                                        .unless(
                                                !held.isHeld(),
                                                "law 12",
                                                () -> node + " still counts token " + held.token() + " as held");
                            }));
        }
    }

    void checkOver() {
        world.verdict()
                .unless(
                        waiting == 0,
                        "law 19",
                        () -> node + " closed with waiters for '" + subject.name() + "': " + waiting);
    }
}
