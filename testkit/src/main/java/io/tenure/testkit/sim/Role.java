package io.tenure.testkit.sim;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.Term;
import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.testkit.sim.Trace.What;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One node's standing for one role, what its leader writes, and the judge of what its observers are told. */
final class Role {
    private static final String EVENTS = "law 12 (events)";

    private final World world;
    private final Node node;
    private final Subject subject;
    private final Elector elector;
    private final Conditions conditions;
    private final boolean working;
    private @Nullable Candidacy candidacy;
    private boolean following;
    private boolean elected;
    /** The token of the term that was begun and not ended, by the events; 0 for none. */
    private long leading;

    private @Nullable SimulatedWork work;
    private boolean overrun;
    private long remembered;

    Role(World world, Node node, Subject subject, Tenure tenure) {
        this.world = world;
        this.node = node;
        this.subject = subject;
        this.conditions = world.conditions();
        this.working = world.chance().of(0.3);
        this.elector = tenure.elector(
                subject.name(),
                ElectorOptions.ofTtl(Duration.ofNanos(conditions.ttl()))
                        .renewEvery(Duration.ofNanos(conditions.renewEvery()))
                        .retryEvery(Duration.ofNanos(conditions.retryEvery()))
                        .build());
    }

    Subject subject() {
        return subject;
    }

    Elector elector() {
        return elector;
    }

    long leading() {
        return leading;
    }

    /** What the user does now and then. */
    void act() {
        Chance chance = world.chance();
        if (candidacy == null) {
            if (world.isCalm() || chance.of(0.6)) {
                campaign();
            }
        } else if (elector.isLeader()) {
            if (chance.of(0.7)) {
                elector.token().ifPresent(this::write);
            }
        } else if (!world.isCalm() && chance.of(0.01)) {
            withdraw();
        }
    }

    private void campaign() {
        if (work != null) {
            return; // work that overran its candidacy: standing again is refused until it has ended
        }
        try {
            candidacy = working ? elector.campaign(this::lead) : elector.campaign();
            following = false;
            node.signalled();
            world.note(node, What.CAMPAIGN, subject.index(), 0);
        } catch (IllegalStateException e) {
            world.note(node, What.CAMPAIGN, subject.index(), -1); // the last candidacy is still being closed
        }
    }

    private void withdraw() {
        Candidacy over = candidacy;
        if (over != null) {
            candidacy = null;
            node.signalled();
            world.note(node, What.WITHDRAW, subject.index(), 0);
            over.close();
        }
    }

    void resign() {
        node.signalled();
        world.note(node, What.RESIGN, subject.index(), leading);
        elector.resign();
    }

    private void write(long token) {
        Grant grant = node.grantOf(subject.name(), token);
        world.note(node, What.WRITE_SENT, subject.index(), token);
        boolean stuck = !world.isCalm() && world.chance().of(0.2);
        world.write(node, grant, stuck ? 3 * conditions.ttl() : conditions.delay());
    }

    /** A writer that looked just before its process was stopped. */
    void rememberToken() {
        remembered = elector.token().orElse(0);
    }

    void writeOnResume() {
        if (remembered != 0) {
            write(remembered);
        }
    }

    /** Takes note of a term that began in the step that is just over. */
    void lookForTerm() {
        if (elected) {
            elected = false;
            elector.term().ifPresent(this::watch);
        }
    }

    private void watch(Term term) {
        world.verdict()
                .unless(
                        term.token() == leading,
                        EVENTS,
                        () -> node + " leads by " + term.token() + " but told " + leading);
        node.hold(term, conditions.ttl());
    }

    void onEvent(TenureEvent.Named event) {
        if (event instanceof TenureEvent.Elected begun) {
            expect(leading == 0, event);
            leading = begun.token();
            following = false;
            elected = true;
            world.tally().terms++;
            world.led(subject);
            if (node.hasBegunWork()) {
                begin(node.takeBegunWork());
            }
        } else if (event instanceof TenureEvent.SteppedDown down) {
            expect(leading == down.token() && (work == null || overrun), event);
            leading = 0;
            world.unled(subject);
        } else if (event instanceof TenureEvent.Following) {
            expect(leading == 0 && !following, event);
            following = true;
        } else if (event instanceof TenureEvent.LeaderChanged) {
            expect(leading == 0 && following, event);
        } else if (event instanceof TenureEvent.DrainOverrun) {
            overrun = true;
        }
        world.note(node, event, subject.index(), leading);
    }

    private void expect(boolean condition, TenureEvent event) {
        if (!condition) {
            world.verdict()
                    .broken(
                            EVENTS,
                            node + " told " + Trace.text(event) + " while "
                                    + (leading == 0 ? "not leading" : "leading by " + leading)
                                    + (following ? ", following" : "") + (work == null ? "" : ", working"));
        }
    }

    private void begin(SimulatedWork started) {
        work = started;
        overrun = false;
        world.note(node, What.WORK_STARTED, subject.index(), leading);
        if (!world.isCalm()) {
            endLater(started, world.chance().between(conditions.ttl() / 10, 4 * conditions.ttl()));
        }
    }

    void workInterrupted(SimulatedWork which) {
        if (work == which) {
            world.note(node, What.WORK_INTERRUPTED, subject.index(), 0);
            boolean stubborn = !world.isCalm() && world.chance().of(0.15);
            endLater(which, world.chance().between(1, stubborn ? 3 * conditions.ttl() : conditions.ttl() / 2));
        }
    }

    private void endLater(SimulatedWork which, long span) {
        world.agenda()
                .in(
                        span,
                        () -> node.deliver(() -> {
                            if (work == which) {
                                work = null;
                                node.signalled();
                                world.note(node, What.WORK_ENDED, subject.index(), 0);
                                which.end();
                            }
                        }));
    }

    private void lead(Term term) {
        if (!world.isCalm() && world.chance().of(0.1)) {
            throw new IllegalArgumentException("the work failed");
        }
    }

    /** Law 12: nothing is released while work is running, unless it was given up on, and then its token is burnt. */
    void releasing(ReleaseRequest request) {
        Claim claim = request.claim();
        if (work != null && claim.name().equals(subject.name()) && claim.token() == leading) {
            world.verdict()
                    .unless(
                            overrun,
                            "law 12",
                            () -> node + " releases token " + leading + " while its work is running");
            world.verdict()
                    .unless(
                            request.mode() == ReleaseMode.BURN,
                            "law 12",
                            () -> node + " does not burn token " + leading + " although its work is still running");
        }
    }

    void checkOver() {
        world.verdict().unless(leading == 0, EVENTS, () -> node + " closed, and never told the end of " + leading);
        world.verdict()
                .unless(
                        !elector.isLeader(),
                        "law 19",
                        () -> node + " closed, and still leads '" + subject.name() + "'");
    }
}
