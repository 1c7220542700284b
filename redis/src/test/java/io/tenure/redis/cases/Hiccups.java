package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A bystander that wants to wake every 5 ms, and remembers when it was late and by how much: that late this machine made
 * everybody at that moment, so a test that measures time owes nobody less then, and no more at any other moment.
 */
final class Hiccups implements AutoCloseable {
    private static final long PACE = Duration.ofMillis(5).toNanos();

    /** What an idle machine is late by too, and nobody has to be forgiven. */
    private static final long NOTICED = Duration.ofMillis(1).toNanos();

    private static final Duration USUAL = Duration.ofMillis(100);
    private static final Duration LATEST = Duration.ofSeconds(1);

    private final long begun = System.nanoTime();
    private final AtomicLong worst = new AtomicLong();
    private final Queue<Hiccup> all = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::watch, "bystander");
    private volatile long due = begun;
    private volatile boolean over;

    private record Hiccup(long due, long late) {
        boolean within(long from, long to) {
            return due - to <= 0 && due + late - from >= 0;
        }
    }

    /** How late something was, and how late the machine was around that very moment. */
    record Late(Duration by, Duration machine) {
        /** By what the machine has nothing to do with. */
        Duration own() {
            return by.minus(machine);
        }
    }

    Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!over) {
            due = System.nanoTime() + PACE;
            LockSupport.parkNanos(PACE);
            long late = System.nanoTime() - due;
            if (late > NOTICED) {
                all.add(new Hiccup(due, late));
            }
            worst.accumulateAndGet(late, Math::max);
        }
    }

    /** The worst of all. */
    Duration worst() {
        return Duration.ofNanos(Math.max(worst.get(), System.nanoTime() - due));
    }

    /** The worst of those that were going on at some moment from {@code from} to {@code to}, by {@link System#nanoTime()}. */
    Duration worstWithin(long from, long to) {
        Hiccup present = new Hiccup(due, Math.max(0, System.nanoTime() - due));
        long found = present.within(from, to) ? present.late() : 0;
        for (Hiccup hiccup : all) {
            if (hiccup.late() > found && hiccup.within(from, to)) {
                found = hiccup.late();
            }
        }
        return Duration.ofNanos(found);
    }

    /** The worst of those that were going on at some moment from {@code from} until now. */
    Duration worstSince(long from) {
        return worstWithin(from, System.nanoTime());
    }

    /** Whatever came {@code by} late and was due at {@code due}. */
    Late late(Duration by, long due) {
        return new Late(by, worstWithin(due, due + Math.max(0, by.toNanos())));
    }

    /**
     * How late the machine is at nine in ten moments: a long hiccup counts for as many moments as it lasts, since that
     * many of those who want to wake meet it.
     */
    Duration usual() {
        List<Hiccup> longestFirst = new ArrayList<>(all);
        longestFirst.sort(Comparator.comparingLong(Hiccup::late).reversed());
        long left = (System.nanoTime() - begun) / 10;
        for (Hiccup hiccup : longestFirst) {
            left -= hiccup.late();
            if (left <= 0) {
                return Duration.ofNanos(hiccup.late());
            }
        }
        return Duration.ZERO;
    }

    /** Nine in ten at most 100 ms late beyond what this machine usually is, and none more than a second beyond its worst. */
    void assertPunctual(List<Duration> late) {
        Duration usual = usual();
        assertThat(p90(late)).as("p90 of %s, machine %s", late, usual).isLessThanOrEqualTo(USUAL.plus(usual));
        assertThat(latest(late))
                .as("latest of %s, machine %s", late, worst())
                .isLessThanOrEqualTo(LATEST.plus(worst()));
    }

    /** Nine in ten at most 100 ms late and none more than a second, beyond what the machine was late at that moment. */
    static void assertEachPunctual(List<Late> late) {
        List<Duration> own = late.stream().map(Late::own).toList();
        assertThat(p90(own)).as("p90 of %s", late).isLessThanOrEqualTo(USUAL);
        assertThat(latest(own)).as("latest of %s", late).isLessThanOrEqualTo(LATEST);
    }

    private static Duration p90(List<Duration> late) {
        return late.stream().sorted().toList().get(Math.min(late.size() - 1, late.size() * 9 / 10));
    }

    private static Duration latest(List<Duration> late) {
        return late.stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    @Override
    public void close() {
        over = true;
    }
}
