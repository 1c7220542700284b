package io.tenure.examples.across;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.FenceRejected;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.TokenSource;
import io.tenure.examples.LocalPostgres;
import io.tenure.examples.LocalRedis;
import io.tenure.examples.Program;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds where leases are kept in one system and their holders write to another one. */
abstract class CrossingLaws {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @RegisterExtension
    static final LocalPostgres POSTGRES = new LocalPostgres();

    final String role = "role-" + UUID.randomUUID();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Crossing crossing;

    CrossingLaws(Crossing crossing) {
        this.crossing = crossing;
    }

    /** By way of another port to the system that is written to. */
    abstract Instance openWritingBy(int port);

    /** The port of the system that is written to. */
    abstract int writtenTo();

    /** What was written last; empty when nothing was. */
    abstract String written() throws SQLException;

    abstract void loseLeases() throws SQLException;

    abstract void loseMarks() throws SQLException;

    @BeforeAll
    static void makeTables() throws SQLException {
        Tables.make(POSTGRES);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    final <T extends AutoCloseable> T closing(T one) {
        opened.add(0, one);
        return one;
    }

    final Instance open(TokenSource tokens) {
        return closing(crossing.open(REDIS.uri(), POSTGRES.url(), role, tokens));
    }

    final Program lateLeader() throws IOException {
        return closing(Program.start(LateLeader.class, crossing.name(), REDIS.uri(), POSTGRES.url(), role));
    }

    static void soon(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    @Test
    void law26_a_late_write_to_the_other_system_is_refused_before_the_successor_leads_or_has_written()
            throws Exception {
        Program old = lateLeader();
        old.tell("campaign");
        long token = Long.parseLong(old.hear("token"));
        old.tell("write early");
        old.hear("wrote");
        Instance next = open(TokenSource.STORE_CLOCK);
        List<String> whileClaiming = new CopyOnWriteArrayList<>();
        Elector elector = next.elector(
                claimed ->
                        whileClaiming.add(next.tenure.find(role).orElseThrow().token() == claimed ? "granted" : ""),
                claimed -> whileClaiming.add(next.events(Elected.class).isEmpty() ? "not told" : ""),
                claimed -> {
                    assertThatThrownBy(() -> next.write(token, "late by hand")).isInstanceOf(StaleTokenException.class);
                    whileClaiming.add("fenced");
                });
        elector.campaign();
        soon("the other follows", () -> !next.events(Following.class).isEmpty());

        old.pause();
        old.tell("write late"); // it goes on with this, by the token that it had when it was stopped
        soon("the other leads", elector::isLeader);
        long successor = elector.token().orElseThrow();
        assertThat(whileClaiming).containsExactly("granted", "not told", "fenced");
        assertThat(written()).isEqualTo("early");
        old.resume();

        assertThat(old.hear("refused")).isEqualTo(token + " " + successor);
        assertThat(old.hear("stepped-down")).isEqualTo(token + " " + EndReason.EXPIRED);
        assertThat(written()).as("by nobody since").isEqualTo("early");
        assertThat(elector.token()).hasValue(successor);
        next.write(successor, "of the successor");
        assertThat(written()).isEqualTo("of the successor");
    }

    @Test
    void law26_leases_that_were_lost_and_count_from_one_again_end_above_the_mark_of_the_other_system()
            throws Exception {
        Instance before = open(TokenSource.COUNTER);
        long mark = 0;
        for (int i = 0; i < 5; i++) {
            try (HeldLock held = before.tenure.lock(role).acquire()) {
                before.fence.claim(held.token());
                before.write(held.token(), "before " + held.token());
                mark = held.token();
            }
        }
        before.tenure.close();
        assertThat(mark).isEqualTo(5);
        loseLeases();

        Instance after = open(TokenSource.COUNTER);
        Elector elector = after.elector();
        elector.campaign();
        soon("leads", elector::isLeader);

        assertThat(elector.token()).hasValue(6);
        after.write(6, "after");
        assertThat(written()).isEqualTo("after");
        soon("is told", () -> !after.events(Elected.class).isEmpty());
        assertThat(after.events(FenceRejected.class)).containsExactly(new FenceRejected(role, 1, 5));
        assertThat(after.events(WorkFailed.class)).extracting(WorkFailed::token).containsExactly(1L);
        assertThat(after.events(Elected.class)).containsExactly(new Elected(role, 6));
    }

    @Test
    void law26_a_mark_that_was_lost_ends_the_term_and_the_next_one_of_the_same_instance_claims_it_anew()
            throws Exception {
        Instance instance = open(TokenSource.STORE_CLOCK);
        Elector elector = instance.elector();
        elector.campaign(term -> {
            while (true) {
                instance.write(term.token(), "by " + term.token());
                Thread.sleep(20);
            }
        });
        soon("writes", () -> !written().isEmpty());
        long token = elector.token().orElseThrow();

        loseMarks();
        soon("leads anew", () -> elector.token().orElse(0) > token);
        long next = elector.token().orElseThrow();

        soon("writes again", () -> written().equals("by " + next));
        soon("is told", () -> !instance.events(SteppedDown.class).isEmpty());
        assertThat(instance.events(LeaseLost.class)).containsExactly(new LeaseLost(role, token, EndReason.FORCED));
        assertThat(instance.events(SteppedDown.class)).containsExactly(new SteppedDown(role, token, EndReason.FORCED));
    }

    /** How a system is down. */
    enum Outage {
        REFUSING {
            @Override
            void begin(TcpRelay relay) {
                relay.refuse();
                relay.cut();
            }
        },
        SILENT {
            @Override
            void begin(TcpRelay relay) {
                relay.hold(Direction.TO_SERVER);
            }
        };

        abstract void begin(TcpRelay relay);

        static void end(TcpRelay relay) {
            relay.accept();
            relay.pass(Direction.TO_SERVER);
        }
    }

    @ParameterizedTest
    @EnumSource(Outage.class)
    void law26_who_cannot_claim_since_the_other_system_is_down_fails_and_who_can_leads(Outage outage) {
        TcpRelay relay = closing(TcpRelay.to(writtenTo()));
        Instance cut = closing(openWritingBy(relay.port()));
        outage.begin(relay);
        Elector first = cut.elector();
        first.campaign();
        soon("has the lease", () -> cut.tenure.find(role).isPresent());
        Instance other = open(TokenSource.STORE_CLOCK);
        Elector second = other.elector();
        second.campaign();

        soon("the other leads", second::isLeader);
        long token = second.token().orElseThrow();
        other.write(token, "written");
        soon("is told", () -> !cut.events(WorkFailed.class).isEmpty());
        assertThat(cut.events(WorkFailed.class))
                .allSatisfy(failed -> assertThat(failed.cause())
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                failure -> assertThat(failure.isTransient()).isTrue()));
        assertThat(cut.events(Elected.class)).isEmpty();

        Outage.end(relay);
        soon(
                "the first follows or waits",
                () -> cut.tenure.find(role).orElseThrow().token() == token);
        other.close();
        soon("and leads later", first::isLeader);
        cut.write(first.token().orElseThrow(), "written too");
    }

    @Test
    void law26_who_is_alone_leads_once_the_other_system_is_back() throws Exception {
        TcpRelay relay = closing(TcpRelay.to(writtenTo()));
        Instance alone = closing(openWritingBy(relay.port()));
        Outage.REFUSING.begin(relay);
        Elector elector = alone.elector();
        elector.campaign();
        soon("fails", () -> alone.events(WorkFailed.class).size() >= 2);
        assertThat(elector.isLeader()).isFalse();

        Outage.end(relay);
        soon("leads", elector::isLeader);

        alone.write(elector.token().orElseThrow(), "back");
        assertThat(written()).isEqualTo("back");
        assertThat(alone.events()).noneMatch(TenureEvent.DrainOverrun.class::isInstance);
    }

    @Test
    void law25_the_late_write_of_a_lock_is_refused_once_its_successor_has_claimed_by_hand() throws Exception {
        Program old = lateLeader();
        old.tell("lock");
        long token = Long.parseLong(old.hear("token"));
        old.tell("write early");
        old.hear("wrote");

        old.pause();
        old.tell("write late");
        Instance next = open(TokenSource.STORE_CLOCK);
        try (HeldLock held = next.tenure
                .lock(role, LockOptions.ofTtl(Instance.TTL).renewed().build())
                .tryAcquire(Duration.ofSeconds(60))
                .orElseThrow()) {
            // A lock claims nothing by itself.
            next.fence.claim(held.token());
            old.resume();

            assertThat(old.hear("refused")).isEqualTo(token + " " + held.token());
            assertThat(written()).isEqualTo("early");
            next.write(held.token(), "of the successor");
        }
        assertThat(written()).isEqualTo("of the successor");
    }

    @Test
    void leak_a_lock_that_does_not_claim_lets_its_predecessor_write() throws Exception {
        Instance first = open(TokenSource.STORE_CLOCK);
        HeldLock lost =
                first.tenure.lock(role, LockOptions.ofTtl(Instance.TTL).build()).acquire();
        first.fence.claim(lost.token());
        Instance second = open(TokenSource.STORE_CLOCK);
        try (HeldLock held =
                second.tenure.lock(role).tryAcquire(Duration.ofSeconds(60)).orElseThrow()) {
            first.write(lost.token(), "late");
            assertThat(written()).isEqualTo("late");

            second.fence.claim(held.token());
            assertThatThrownBy(() -> first.write(lost.token(), "later")).isInstanceOf(StaleTokenException.class);
        }
        assertThat(written()).isEqualTo("late");
    }
}
