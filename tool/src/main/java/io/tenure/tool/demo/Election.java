package io.tenure.tool.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The steps of the election: one leads, is stopped, comes back, the next resigns, the next is killed. */
final class Election {
    /** Later than this after the expiry, a takeover counts as failed; it takes milliseconds. */
    private static final double LATEST_TAKEOVER = 500;
    /** What a time of the server's may be wrong by: it counts expiries in whole milliseconds. */
    private static final double GRAIN = 1;
    /** For requests that were on their way when the leader was stopped or killed. */
    private static final Duration SETTLE = Duration.ofMillis(50);

    private final Stage stage;
    private final Screen screen;
    private final Report report;
    private final Inbox inbox;
    private final List<Line> leaders = new ArrayList<>();
    private int refused;
    private int stale;

    Election(Stage stage) {
        this.stage = stage;
        this.screen = stage.screen();
        this.report = stage.report();
        this.inbox = stage.inbox();
    }

    void play() throws StepFailed, InterruptedException {
        elect();
        String stopped = leader();
        long old = token();
        stop();
        resume(stopped, old);
        resign();
        kill();
        tryOldTokens();
    }

    private void elect() throws StepFailed, InterruptedException {
        screen.act("1. Election", "All three stand at once.");
        int mark = inbox.mark();
        for (ContenderProcess contender : stage.cast().values()) {
            contender.tell("stand");
        }
        adopt(awaitLeader("one of the three to lead", mark), mark, "");
        List<String> others = stage.cast().keySet().stream()
                .filter(id -> !id.equals(leader()))
                .toList();
        for (String id : others) {
            Line follows = stage.await(id, "follows", mark);
            report.check(
                    Claim.ONE_LEADER,
                    follows.word(0).equals(leader()) && follows.number(1) == token(),
                    id + " follows " + follows.word(0) + ", but " + leader() + " leads");
        }
        screen.seen(String.join(" and ", others) + " follow " + leader());
        List<Line> all =
                inbox.since(mark).stream().filter(line -> line.is("leads")).toList();
        report.check(Claim.ONE_LEADER, all.size() == 1, all.size() + " said that they lead");
    }

    private void stop() throws StepFailed, InterruptedException {
        screen.act("2. The leader freezes", "kill -STOP, as a long garbage collection or a stalled machine does.");
        int mark = inbox.mark();
        String stopped = leader();
        stage.process(stopped).stop();
        long at = System.nanoTime();
        Sighting lease = settled();
        screen.seen(at, stopped, "is stopped; its lease expires in " + lease.left() + " ms, since nobody renews it");
        takeover(Claim.STOPPED, lease, mark);
    }

    private void resume(String id, long old) throws StepFailed, InterruptedException {
        screen.act("3. It comes back", "kill -CONT: when it last looked, it led.");
        int mark = inbox.mark();
        screen.seen(System.nanoTime(), id, "is resumed");
        stage.process(id).resume();
        Line look = stage.await(id, "look", mark);
        boolean knows = look.word(0).equals("false");
        screen.seen(look.at(), id, "looks for the first time in " + look.word(1) + " ms: isHeld() is " + look.word(0));
        report.check(Claim.KNOWS, knows, "isHeld() was " + look.word(0));
        tryToWrite(Claim.REFUSED, id, List.of(old));
        List<String> stored = stage.probe().stored();
        boolean unchanged = isAllFrom(leader(), stored);
        report.check(Claim.UNCHANGED, unchanged, "stored is " + stored);
        awaitFollower(id, mark);
        screen.seen("what " + leader() + " stored is " + (unchanged ? "unchanged" : "GONE") + "; read directly: "
                + String.join(", ", stored));
    }

    private void resign() throws StepFailed, InterruptedException {
        screen.act("4. The leader resigns", "As in a rolling update.");
        int mark = inbox.mark();
        String resigned = leader();
        long old = token();
        long left = stage.probe().lease(stage.names().role()).left();
        long told = System.nanoTime();
        stage.process(resigned).tell("resign");
        Line leads = awaitLeader("another to lead", mark);
        double millis = (leads.at() - told) / 1e6;
        screen.seen(told, resigned, "is told to resign, with " + left + " ms of its lease left");
        report.check(
                Claim.RESIGNED,
                millis < stage.backend().pace().slowestSuccession(),
                "it took " + text(millis) + " of the " + left + " ms left");
        report.check(Claim.RESIGNED, !leads.from().equals(resigned), resigned + " led again");
        report.measure(Claim.RESIGNED, text(millis));
        adopt(leads, mark, ", " + text(millis) + " later");
        tryToWrite(Claim.RESIGNED, resigned, List.of(old));
        if (!leader().equals(resigned)) {
            awaitFollower(resigned, mark);
        }
    }

    private void kill() throws StepFailed, InterruptedException {
        screen.act("5. The leader is killed", "kill -9: it can tell nobody.");
        int mark = inbox.mark();
        String killed = leader();
        stage.process(killed).kill();
        long at = System.nanoTime();
        Sighting lease = settled();
        screen.seen(at, killed, "is dead; its lease expires in " + lease.left() + " ms");
        takeover(Claim.KILLED, lease, mark);
    }

    private void tryOldTokens() throws StepFailed, InterruptedException {
        List<Long> old = leaders.stream()
                .limit(leaders.size() - 1L)
                .map(line -> line.number(0))
                .toList();
        String id = stage.cast().values().stream()
                .filter(process -> process.isAlive() && !process.id().equals(leader()))
                .map(ContenderProcess::id)
                .findFirst()
                .orElseThrow(() -> new StepFailed("Nobody is left to follow"));
        tryToWrite(Claim.HARMLESS, id, old);
        List<String> stored = stage.probe().stored();
        report.check(Claim.HARMLESS, isAllFrom(leader(), stored), "stored is " + stored);
        report.measure(Claim.HARMLESS, refused + " of " + stale + " late writes refused");
        report.measure(Claim.RISING, leaders.stream().map(Line::from).collect(Collectors.joining(" < ")));
        screen.seen(leader() + " leads, token " + token() + "; "
                + (refused == stale
                        ? "no former leader can do harm: all their writes are refused"
                        : "A FORMER LEADER CAN DO HARM: " + (stale - refused) + " of its writes were taken"));
    }

    /** The lease of a leader that cannot renew it any more. */
    private Sighting settled() throws StepFailed {
        LockSupport.parkNanos(SETTLE.toNanos());
        Sighting lease = stage.probe().lease(stage.names().role());
        if (!lease.isHeld()) {
            throw new StepFailed("The lease of " + leader() + " is gone before its time");
        }
        return lease;
    }

    private void takeover(Claim claim, Sighting lease, int mark) throws StepFailed, InterruptedException {
        Sighting taken = stage.probe().awaitOther(stage.names().role(), lease, Stage.BOUND);
        double late = taken.after(lease);
        Line leads = awaitLeader("another to lead", mark);
        report.check(
                claim, late >= -GRAIN && late <= LATEST_TAKEOVER, "it was taken " + text(late) + " after the expiry");
        report.measure(claim, text(late) + " after");
        adopt(leads, mark, ", " + text(late) + " after the expiry by the server's clock");
    }

    private Line awaitLeader(String what, int mark) throws StepFailed, InterruptedException {
        return inbox.await(what, mark, Stage.BOUND, line -> line.is("leads"));
    }

    /** Takes note of a new leader, and reads directly whether what it wrote through the fence has arrived. */
    private void adopt(Line leads, int mark, String when) throws StepFailed, InterruptedException {
        if (!leaders.isEmpty()) {
            report.check(Claim.RISING, leads.number(0) > token(), leads.number(0) + " came after " + token());
        }
        leaders.add(leads);
        for (String way : stage.backend().ways()) {
            Line answer =
                    inbox.await(leader() + "'s first write", mark, Stage.BOUND, line -> isAnswer(line, leader(), way));
            report.check(Claim.WRITES, answer.is("wrote"), leader() + " said: " + answer.text());
        }
        List<String> stored = stage.probe().stored();
        report.check(Claim.WRITES, isAllFrom(leader(), stored), "stored is " + stored);
        screen.seen(leads.at(), leader(), "leads with token " + token() + when);
        screen.seen(
                System.nanoTime(),
                leader(),
                "writes through the fence (" + String.join(", ", stage.backend().ways()) + "); read directly: "
                        + String.join(", ", stored));
    }

    private void tryToWrite(Claim claim, String id, List<Long> tokens) throws StepFailed, InterruptedException {
        int before = refused;
        long mark = 0;
        for (long token : tokens) {
            int from = inbox.mark();
            stage.process(id).tell("write", token, "stale-" + id);
            for (String way : stage.backend().ways()) {
                Line answer = inbox.await(id + "'s late write", from, Stage.BOUND, line -> isAnswer(line, id, way));
                stale++;
                refused += answer.is("refused") ? 1 : 0;
                mark = answer.number(2);
                report.check(claim, answer.is("refused"), id + " said: " + answer.text());
            }
        }
        String which = tokens.size() == 1 ? "its old token" : "each of the " + tokens.size() + " old tokens";
        screen.seen(
                System.nanoTime(),
                id,
                "writes with " + which + ": " + (refused - before) + " of "
                        + stage.backend().ways().size() * tokens.size()
                        + " refused, the fence stands at " + (mark == token() ? leader() + "'s token" : mark));
    }

    private void awaitFollower(String id, int mark) throws StepFailed, InterruptedException {
        stage.await(id, "ended", mark);
        stage.await(id, "follows", mark);
    }

    private static boolean isAnswer(Line line, String id, String way) {
        return (line.is(id, "wrote") || line.is(id, "refused")) && line.word(0).equals(way);
    }

    private static boolean isAllFrom(String id, List<String> stored) {
        return stored.stream().allMatch(id::equals);
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%.1f ms", millis);
    }

    String leader() {
        return leaders.get(leaders.size() - 1).from();
    }

    long token() {
        return leaders.get(leaders.size() - 1).number(0);
    }
}
