package io.tenure.testkit.sim;

import io.tenure.TenureEvent;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.testkit.sim.Trace.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One history: nodes, network, server and time, first under faults, then at rest, then closed. */
final class World {
    private final Chance chance;
    private final Trace trace;
    private final Agenda agenda = new Agenda();
    private final Verdict verdict = new Verdict();
    private final Tally tally = new Tally();
    private final Conditions conditions;
    private final List<Subject> subjects;
    private final Network network;
    private final SimulatedServer simulated;
    private final Server server;
    private final Ledger ledger;
    private final Holds holds;
    private final List<Node> slots = new ArrayList<>();
    private final Map<Subject, Long> ledSince = new HashMap<>();
    private final Map<Subject, Long> changes = new HashMap<>();
    private int started;
    private boolean calm;
    private long calmSince;

    World(
            long seed,
            Trace.Recording recording,
            UnaryOperator<Conditions> bent,
            BiFunction<Conditions, Agenda, SimulatedServer> servers) {
        chance = new Chance(seed);
        trace = new Trace(recording);
        conditions = bent.apply(Conditions.drawn(chance));
        subjects = conditions.subjects();
        network = new Network(agenda, chance, conditions);
        ledger = new Ledger(agenda, conditions.tokens(), verdict);
        holds = new Holds(agenda, verdict);
        simulated = servers.apply(conditions, agenda);
        server = new Server(this, simulated, ledger);
    }

    Chance chance() {
        return chance;
    }

    Agenda agenda() {
        return agenda;
    }

    Verdict verdict() {
        return verdict;
    }

    Tally tally() {
        return tally;
    }

    Conditions conditions() {
        return conditions;
    }

    List<Subject> subjects() {
        return subjects;
    }

    Network network() {
        return network;
    }

    Server server() {
        return server;
    }

    Holds holds() {
        return holds;
    }

    Trace trace() {
        return trace;
    }

    boolean isCalm() {
        return calm;
    }

    Node inSlot(int slot) {
        return slots.get(slot);
    }

    /** Lives through all of it, or up to the first law that is broken. */
    void live() {
        for (int slot = 0; slot < conditions.nodes(); slot++) {
            slots.add(start(slot));
        }
        new Chaos(this).begin();
        run(conditions.length());
        if (!verdict.isBroken()) {
            settle();
        }
        if (!verdict.isBroken()) {
            closeAll();
        }
    }

    private void run(long span) {
        long end = agenda.now() + span;
        while (!verdict.isBroken() && agenda.step(end)) {
            holds.check();
        }
    }

    private Node start(int slot) {
        String holder =
                conditions.shared() && slot < 2 ? "twin" : chance.of(0.5) ? "n" + slot : "n" + slot + "-" + started;
        return new Node(this, started++, slot, holder);
    }

    void startLater(int slot, long span) {
        agenda.in(span, () -> {
            if (inSlot(slot).state() != Node.State.ALIVE) {
                slots.set(slot, start(slot));
            }
        });
    }

    void write(Node writer, Grant grant, long within) {
        agenda.in(chance.between(1, within), () -> {
            if (server.isUp()) {
                boolean accepted = server.write(writer, grant);
                tally.writesAccepted += accepted ? 1 : 0;
                tally.writesRefused += accepted ? 0 : 1;
            }
        });
    }

    void led(Subject subject) {
        ledSince.put(subject, agenda.now());
        changes.merge(subject, 1L, Long::sum);
    }

    void unled(Subject subject) {
        changes.merge(subject, 1L, Long::sum);
    }

    /** The faults are over: somebody has to lead soon, and to stay. */
    private void settle() {
        calm = true;
        calmSince = agenda.now();
        trace.note(calmSince, -1, What.CALM, -1, 0);
        network.calm();
        server.become(Server.Health.UP);
        slots.forEach(Node::reconnect);
        slots.forEach(Node::resume);
        long ttl = conditions.ttl();
        long lag = 10 * conditions.timerLag();
        long bound = calmSince + conditions.longDelay() + 6 * ttl + 2_000 * Conditions.MILLI + lag;
        while (!verdict.isBroken() && agenda.now() < bound && !isLedSince(calmSince)) {
            run(ttl / 4);
        }
        verdict.unless(
                isLedSince(calmSince),
                "liveness",
                () -> "some role has not been led from when the faults ended, at " + calmSince / 1e6 + " ms, to "
                        + bound / 1e6 + " ms");
        run(5 * ttl + conditions.longDelay()); // what is under way arrives, and work that ends by itself ends
        Map<Subject, Long> before = Map.copyOf(changes);
        long accepted = tally.writesAccepted;
        run(3 * ttl);
        for (Subject subject : roles()) {
            List<Role> leaders = leaders(subject);
            verdict.unless(
                    leaders.size() == 1, "liveness", () -> leaders.size() + " lead '" + subject.name() + "' at rest");
            verdict.unless(
                    changes.getOrDefault(subject, 0L).equals(before.getOrDefault(subject, 0L)),
                    "liveness",
                    () -> "'" + subject.name() + "' changes hands at rest");
        }
        verdict.unless(tally.writesAccepted > accepted, "law 5", () -> "at rest nobody's writes are accepted");
    }

    private boolean isLedSince(long since) {
        return roles().stream()
                .allMatch(subject -> leaders(subject).size() == 1 || ledSince.getOrDefault(subject, -1L) >= since);
    }

    private List<Subject> roles() {
        return subjects.stream()
                .filter(subject -> subject.kind() == Subject.Kind.ROLE)
                .toList();
    }

    private List<Role> leaders(Subject subject) {
        return slots.stream()
                .flatMap(node -> node.roles().stream())
                .filter(role -> role.subject().equals(subject) && role.elector().isLeader())
                .toList();
    }

    private void closeAll() {
        slots.forEach(Node::close);
        // A waiter that crashed, or whose leaving was lost, stays in line for twenty times the pace of looking.
        long vanished = calmSince + conditions.longDelay() + 20 * conditions.retryEvery();
        long closed = agenda.now() + 4 * conditions.ttl() + 4_000 * Conditions.MILLI + 10 * conditions.timerLag();
        run(Math.max(vanished, closed) - agenda.now());
        if (verdict.isBroken()) {
            return;
        }
        for (Node node : slots) {
            verdict.unless(
                    node.state() == Node.State.CLOSED, "law 19", () -> node + " is " + node.state() + " in the end");
        }
        holds.checkAllEnded();
        for (Subject subject : subjects) {
            server.look(subject.name())
                    .ifPresent(left -> verdict.broken(
                            "law 19", "'" + left.name() + "' still has a lease by token " + left.token()));
            checkNobodyWaits(subject);
        }
    }

    /** A stranger that has to wait finds nobody in line before it. */
    private void checkNobodyWaits(Subject subject) {
        probe(subject, "first");
        Acquisition second = probe(subject, "second");
        boolean alone = second instanceof Acquisition.Denied denied && denied.place() == 1;
        verdict.unless(
                alone,
                "law 19",
                () -> "somebody is still in line for '" + subject.name() + "', a stranger was told "
                        + (second instanceof Acquisition.Denied denied ? denied.place() : 0));
    }

    private Acquisition probe(Subject subject, String who) {
        Claim claim = new Claim(subject.name(), who, who, 1, 0);
        Duration span = Duration.ofSeconds(1);
        return simulated
                .requests()
                .acquire(new LeaseRequest(claim, LeaseKind.LOCK, span, 0, Takeover.NONE, span))
                .toCompletableFuture()
                .join();
    }

    void note(@Nullable Node node, What what, String name, long number) {
        note(node, what, Subject.indexOf(name), number);
    }

    void note(@Nullable Node node, What what, int subject, long number) {
        trace.note(agenda.now(), node == null ? -1 : node.serial, what, subject, number);
    }

    void note(Node node, TenureEvent event, int subject, long token) {
        trace.note(agenda.now(), node.serial, subject, event, token);
    }
}
