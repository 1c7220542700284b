package io.tenure.testkit.sim;

import io.tenure.Lease;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.spi.ReleaseRequest;
import io.tenure.testkit.sim.Trace.What;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The life of one process: the real engine, on a clock and a network of its own, and what its users do with it. */
final class Node {
    final int serial;
    final int slot;
    final String holder;
    private final World world;
    private final NodeTimeline timeline;
    private final NodeStore store;
    private final Claims claims;
    private final Tenure tenure;
    private final List<Role> roles = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private final Map<String, Map<Long, Grant>> grants = new HashMap<>();
    private final List<Runnable> withheld = new ArrayList<>();
    private State state = State.ALIVE;
    private boolean stopped;
    private int stops;
    private boolean cutOff;
    private @Nullable SimulatedWork begun;

    /** How far its life has gone. */
    enum State {
        ALIVE,
        CLOSING,
        CLOSED,
        CRASHED
    }

    Node(World world, int serial, int slot, String holder) {
        this.world = world;
        this.serial = serial;
        this.slot = slot;
        this.holder = holder;
        Conditions conditions = world.conditions();
        int drift = (int) world.chance().between(-conditions.drift(), conditions.drift());
        timeline = new NodeTimeline(world.agenda(), this, world.chance(), drift, conditions.timerLag());
        claims = new Claims(this, world.verdict());
        store = new NodeStore(world, this);
        tenure = Tenure.over(store)
                .holder(holder)
                .timeline(timeline)
                .workThreads(run -> new SimulatedWork(this, run))
                .observer(this::onEvent)
                .open();
        for (Subject subject : world.subjects()) {
            if (subject.kind() == Subject.Kind.ROLE) {
                roles.add(new Role(world, this, subject, tenure));
            } else {
                jobs.add(new Job(world, this, subject, tenure));
            }
        }
        world.note(this, What.STARTED, -1, slot);
        nextTick();
    }

    Verdict verdict() {
        return world.verdict();
    }

    NodeTimeline timeline() {
        return timeline;
    }

    Claims claims() {
        return claims;
    }

    List<Role> roles() {
        return roles;
    }

    State state() {
        return state;
    }

    boolean isStopped() {
        return stopped;
    }

    boolean isCutOff() {
        return cutOff;
    }

    void cutOff(long span) {
        cutOff = true;
        world.note(this, What.CUT_OFF, -1, span);
        world.agenda().in(span, this::reconnect);
    }

    void reconnect() {
        cutOff = false;
    }

    void signalled() {
        world.tally().signals++;
    }

    /** Has {@code step} happen in this process: at once, or when it is resumed, or never, when it is gone. */
    void deliver(Runnable step) {
        if (state == State.CRASHED) {
            return;
        }
        if (stopped) {
            withheld.add(step);
            return;
        }
        step.run();
        for (Role role : roles) {
            role.lookForTerm();
        }
    }

    /** Has {@code check} done once this process has been running for {@code span} at a stretch. */
    void afterRunning(long span, Runnable check) {
        int before = stops;
        world.agenda().in(span, () -> {
            if (state == State.CRASHED) {
                return;
            }
            if (stopped || stops != before) {
                afterRunning(span, check);
            } else {
                check.run();
            }
        });
    }

    private void nextTick() {
        long ttl = world.conditions().ttl();
        world.agenda().in(world.chance().between(ttl / 20, ttl / 2), () -> {
            if (state == State.ALIVE) {
                deliver(this::tick);
                nextTick();
            }
        });
    }

    private void tick() {
        if (state == State.ALIVE) {
            roles.forEach(Role::act);
            jobs.forEach(Job::act);
        }
    }

    void stop() {
        stopped = true;
        stops++;
        world.note(this, What.PAUSED, -1, 0);
        roles.forEach(Role::rememberToken);
    }

    /** Goes on: writers that had looked before the stop write first; timers and answers race each other. */
    void resume() {
        if (!stopped || state == State.CRASHED) {
            return;
        }
        stopped = false;
        world.note(this, What.RESUMED, -1, withheld.size());
        world.holds().check();
        if (state == State.ALIVE) {
            roles.forEach(Role::writeOnResume);
        }
        List<Runnable> late = new ArrayList<>(withheld);
        withheld.clear();
        while (!late.isEmpty()) {
            deliver(late.remove(world.chance().of(0.7) ? 0 : world.chance().index(late.size())));
        }
    }

    void crash() {
        state = State.CRASHED;
        withheld.clear();
        world.note(this, What.CRASHED, -1, 0);
        world.holds().forget(this);
        world.agenda().in(world.chance().between(0, world.conditions().ttl()), store::close);
    }

    /** Closes the Tenure, and sees to it that nothing is left. */
    void close() {
        if (state != State.ALIVE) {
            return;
        }
        state = State.CLOSING;
        world.note(this, What.CLOSING, -1, 0);
        deliver(() -> {
            signalled();
            tenure.closeAsync().thenRun(() -> {
                state = State.CLOSED;
                world.note(this, What.CLOSED, -1, 0);
                afterRunning(closedWithin(0), this::checkNothingIsLeft);
            });
            afterRunning(
                    closedWithin(2 * world.conditions().ttl() + 2_000 * Conditions.MILLI),
                    () -> verdict().unless(state == State.CLOSED, "law 19", () -> this + " is still closing"));
        });
    }

    private long closedWithin(long span) {
        return span
                + span / 500
                + 10 * Conditions.MILLI
                + 4 * world.conditions().timerLag();
    }

    private void checkNothingIsLeft() {
        verdict().unless(store.isClosed(), "law 19", () -> this + " closed, but not its store");
        verdict()
                .unless(
                        store.outstanding() == 0,
                        "law 19",
                        () -> this + " closed with calls outstanding: " + store.outstanding());
        verdict()
                .unless(
                        timeline.pending() == 0,
                        "law 19",
                        () -> this + " closed with timers pending: " + timeline.pending());
        claims.checkOver();
        roles.forEach(Role::checkOver);
        jobs.forEach(Job::checkOver);
    }

    void granted(Grant grant) {
        grants.computeIfAbsent(grant.claim.name(), key -> new HashMap<>()).put(grant.claim.token(), grant);
    }

    /** The lease at the server that {@code token} stands for. */
    Grant grantOf(String name, long token) {
        return Objects.requireNonNull(knownGrantOf(name, token), "a token that nobody granted");
    }

    @Nullable
    Grant knownGrantOf(String name, long token) {
        return grants.getOrDefault(name, Map.of()).get(token);
    }

    /** Has the holder of {@code lease} watched. */
    Grant hold(Lease lease, long ttl) {
        Grant grant = grantOf(lease.name(), lease.token());
        int drift = world.conditions().drift();
        world.holds().add(this, lease, grant, drift == 0 ? 0 : ttl / 1_000_000 * (drift + 10) + 1_000);
        return grant;
    }

    void workStarted(SimulatedWork work) {
        begun = work;
    }

    SimulatedWork takeBegunWork() {
        SimulatedWork work = Objects.requireNonNull(begun, "begun");
        begun = null;
        return work;
    }

    boolean hasBegunWork() {
        return begun != null;
    }

    void workInterrupted(SimulatedWork work) {
        roles.forEach(role -> role.workInterrupted(work));
    }

    void releasing(ReleaseRequest request) {
        roles.forEach(role -> role.releasing(request));
    }

    private void onEvent(TenureEvent event) {
        if (event instanceof TenureEvent.Named named) {
            int index = Subject.indexOf(named.name());
            for (Role role : roles) {
                if (role.subject().index() == index) {
                    role.onEvent(named);
                    return;
                }
            }
            if (event instanceof TenureEvent.LockAcquired) {
                world.tally().locks++;
            }
            world.note(this, event, index, 0);
        } else {
            world.note(this, event, -1, 0);
        }
    }

    @Override
    public String toString() {
        return "node " + serial + " ('" + holder + "')";
    }
}
