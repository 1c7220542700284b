package io.tenure.testkit.sim;

import io.tenure.Timeline;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * One node's time: its own origin and pace, on the global clock. What a stopped node has scheduled goes off when it is
 * resumed, and its clock has gone on meanwhile.
 */
final class NodeTimeline implements Timeline {
    private static final long MILLION = 1_000_000;

    private final Agenda agenda;
    private final Node node;
    private final Chance chance;
    private final long origin;
    private final long reading;
    private final int drift;
    private final long lag;
    private int pending;

    /**
     * @param drift how much faster than the global clock it runs, in millionths
     * @param lag how late a timer may go off
     */
    NodeTimeline(Agenda agenda, Node node, Chance chance, int drift, long lag) {
        this.agenda = agenda;
        this.node = node;
        this.chance = chance;
        this.origin = agenda.now();
        this.reading = chance.between(-1_000 * MILLION * MILLION, 1_000 * MILLION * MILLION);
        this.drift = drift;
        this.lag = lag;
    }

    @Override
    public long nanos() {
        long passed = agenda.now() - origin;
        return reading + passed + passed / MILLION * drift + passed % MILLION * drift / MILLION;
    }

    /** The first global time at which this clock reads {@code at} or more. */
    private long global(long at) {
        if (drift == 0) {
            return origin + (at - reading);
        }
        long left = Math.max(0, at - nanos());
        long guess = agenda.now() + left - left / MILLION * drift;
        while (reading(guess) < at) {
            guess += 1 + (at - reading(guess)) / 2;
        }
        return guess;
    }

    private long reading(long global) {
        long passed = global - origin;
        return reading + passed + passed / MILLION * drift + passed % MILLION * drift / MILLION;
    }

    @Override
    public Timer schedule(long at, long slack, Runnable task) {
        pending++;
        long early = slack > 0 && chance.of(0.3) ? chance.between(0, slack) : 0;
        long late = lag > 0 && at > nanos() ? chance.between(0, lag) : 0;
        NodeTimer timer = new NodeTimer(task);
        timer.entry = agenda.at(global(at - early) + late, timer);
        return timer;
    }

    int pending() {
        return pending;
    }

    @Override
    public Background background(String name) {
        return new Inline(name);
    }

    @Override
    public void await(CompletionStage<?> answer) {}

    @Override
    public void close() {
        throw new IllegalStateException("a timeline that was given to a Tenure was closed by it");
    }

    private final class NodeTimer implements Timer, Runnable {
        private final Runnable task;
        private Agenda.@org.jspecify.annotations.Nullable Entry entry;
        private boolean over;

        private NodeTimer(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            node.deliver(this::goOff);
        }

        /** A timer of a stopped node can still be cancelled by what that node does first when it is resumed. */
        private void goOff() {
            if (!over) {
                over = true;
                pending--;
                node.signalled();
                task.run();
            }
        }

        @Override
        public void cancel() {
            if (!over) {
                over = true;
                pending--;
                if (entry != null) {
                    entry.cancel();
                }
            }
        }
    }

    /**
     * Runs tasks at once, or after the one that is running. Everything counts as inside it: in a simulation there is no
     * other thread that could be waited for.
     */
    private static final class Inline implements Background {
        private final String name;
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean running;
        private boolean closed;

        private Inline(String name) {
            this.name = name;
        }

        @Override
        public void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException(name + " is closed");
            }
            tasks.add(task);
            if (!running) {
                running = true;
                try {
                    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                        next.run();
                    }
                } finally {
                    running = false;
                }
            }
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
