package io.tenure.testkit.sim;

import io.tenure.Timeline;
import io.tenure.TokenSource;
import io.tenure.memory.MemoryLeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One history of several processes that contend for roles and locks while everything around them goes wrong: the real
 * engine, one {@code Tenure} a process, in one thread and on simulated time, between a simulated network and a server.
 *
 * <p>Everything is drawn from the seed: how many nodes, names and faults, and what happens when. Nodes are stopped and
 * resumed, crash, close and come back under the same or another holder id, some with clocks that run too fast or too
 * slow, some two to one id; requests, answers and wake-ups are late, lost, repeated and reordered; the server is down,
 * loses its leases, counters and marks, and has leases evicted; leaders resign, their work fails or does not end;
 * writers write with the tokens they have, or had. Then the faults end, somebody has to lead, and all is closed.
 *
 * <p>Judged at every step: exclusion and tokens by the server's clock, against a ledger of what it answered; the fence,
 * against the same; that no handle counts as held for longer than the server keeps its lease, which one that was
 * evicted, lost with the data or taken over by its own holder id may do until it would have expired; that nothing is
 * sent for a claim after its release; that events come in pairs; that waiters are served, or told, within their budget;
 * that nothing is left of what was closed.
 *
 * <p>Where clocks drift, a node whose clock is slow by a share of {@code d} may count a lease as held for up to
 * {@code ttl * d} longer than the server does, less the time that its request took. That much is allowed for here, and
 * has to be by whoever relies on a lease without a fence.
 *
 * <p>It may be run more than once, always with the same outcome; by one thread at a time.
 */
public final class Simulation {
    private static final int TOLD_LINES = 60;

    private final long seed;
    private UnaryOperator<Conditions> bent = conditions -> conditions;
    private BiFunction<Conditions, Timeline, SimulatedServer> servers =
            (conditions, clock) -> new MemorySimulatedServer(MemoryLeaseStore.builder()
                    .timeline(clock)
                    .tokens(conditions.tokens())
                    .open());

    private Simulation(long seed) {
        this.seed = seed;
    }

    /** The history that {@code seed} stands for, against the store in memory. */
    public static Simulation ofSeed(long seed) {
        return new Simulation(seed);
    }

    /**
     * Lets it run against another server.
     *
     * @param server makes it, for the clock by which it has to decide; its tokens have to rise with the microseconds of
     *     that clock, as those of {@link TokenSource#STORE_CLOCK} do. It is made anew for every run
     */
    public Simulation against(Function<Timeline, SimulatedServer> server) {
        bent = Conditions::countedByTheClock;
        servers = (conditions, clock) -> server.apply(clock);
        return this;
    }

    /** Lets it run against another server that counts as the conditions say. */
    Simulation against(BiFunction<Conditions, Timeline, SimulatedServer> server) {
        servers = server;
        return this;
    }

    /**
     * Runs it.
     *
     * @throws BrokenLawException when a law was broken, telling which, the seed, and what happened last
     */
    public History run() {
        World world = lived(Trace.Recording.HASH_ONLY);
        if (world.verdict().isBroken()) {
            World again = lived(Trace.Recording.LINES);
            List<String> lines = again.trace().lines();
            List<String> last = lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size());
            throw new BrokenLawException(
                    seed,
                    "Seed " + seed + " breaks " + again.verdict().what() + "\nunder " + again.conditions() + "\nafter\n"
                            + String.join("\n", last));
        }
        Tally tally = world.tally();
        return new History(
                seed,
                world.trace().hash(),
                tally.signals,
                tally.terms,
                tally.locks,
                tally.writesAccepted,
                tally.writesRefused);
    }

    /** What happens in it, a line each, up to its end or to the first law that is broken, which the last line tells. */
    public List<String> trace() {
        World world = lived(Trace.Recording.LINES);
        List<String> lines = new ArrayList<>(world.trace().lines());
        String broken = world.verdict().what();
        if (broken != null) {
            lines.add(broken);
        }
        return lines;
    }

    private World lived(Trace.Recording recording) {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        World world = new World(
                seed, recording, bent, (conditions, agenda) -> servers.apply(conditions, new ServerTimeline(agenda)));
        thread.setUncaughtExceptionHandler(
                (where, failure) -> world.verdict().broken("the engine failed", trace(failure)));
        try {
            world.live();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        return world;
    }

    private static String trace(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    /** The server's clock. */
    private record ServerTimeline(Agenda agenda) implements Timeline {
        @Override
        public long nanos() {
            return agenda.now();
        }

        @Override
        public Timer schedule(long at, long slack, Runnable task) {
            throw new UnsupportedOperationException("a simulated server has no timers");
        }

        @Override
        public Background background(String name) {
            throw new UnsupportedOperationException("a simulated server has no threads");
        }

        @Override
        public void await(CompletionStage<?> answer) {}

        @Override
        public void close() {}
    }
}
