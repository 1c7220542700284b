package io.tenure.tool.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The step of the lock: two processes hand it to each other. */
final class LockHandover {
    private static final int TIMES = 5;

    private final Stage stage;

    LockHandover(Stage stage) {
        this.stage = stage;
    }

    void play() throws StepFailed, InterruptedException {
        stage.screen().act("6. A lock changes hands", "One holds it, the other waits; " + TIMES + " times.");
        List<ContenderProcess> two = new ArrayList<>(stage.cast().values().stream()
                .filter(ContenderProcess::isAlive)
                .limit(2)
                .toList());
        int mark = stage.inbox().mark();
        two.get(0).tell("lock");
        Line locked = stage.await(two.get(0).id(), "locked", mark);
        long token = locked.number(0);
        stage.screen().seen(locked.at(), locked.from(), "has the lock with token " + token);
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            ContenderProcess waiter = two.get(1);
            mark = stage.inbox().mark();
            waiter.tell("lock");
            stage.await(waiter.id(), "waiting", mark);
            stage.probe().awaitWaiter(stage.names().lock(), Stage.BOUND);
            long told = System.nanoTime();
            two.get(0).tell("unlock");
            locked = stage.await(waiter.id(), "locked", mark);
            times.add((locked.at() - told) / 1e6);
            stage.report().check(Claim.RISING, locked.number(0) > token, locked.number(0) + " came after " + token);
            token = locked.number(0);
            Collections.reverse(two);
        }
        two.get(0).tell("unlock");
        stage.await(two.get(0).id(), "unlocked", mark);
        Collections.sort(times);
        double slowest = times.get(TIMES - 1);
        String text = String.format(Locale.ROOT, "median %.1f ms, slowest %.1f ms", times.get(TIMES / 2), slowest);
        stage.screen()
                .seen(
                        locked.at(),
                        locked.from(),
                        "has the lock with token " + token + " after " + TIMES + " handovers: " + text);
        stage.report().check(Claim.LOCK, slowest < Pace.SLOWEST_LOCK, text);
        stage.report().measure(Claim.LOCK, text);
    }
}
