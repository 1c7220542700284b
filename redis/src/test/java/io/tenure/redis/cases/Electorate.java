package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.redis.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** An instance that leads and one that follows it, while something is wrong with their server. */
final class Electorate {
    private final String name;
    private final Duration ttl;
    private final String lockName;
    private final List<Participant> members;
    private final List<Elector> electors;
    final Participant a;
    final Participant b;
    final Elector leader;
    final long token;

    Electorate(Bench bench, Duration ttl) {
        this(bench, ttl, "", bench::member);
    }

    /** With names that begin with {@code prefix}, by such members. */
    Electorate(Bench bench, Duration ttl, String prefix, Supplier<Participant> member) {
        this.ttl = ttl;
        name = bench.name(prefix + "role");
        lockName = bench.name(prefix + "lock");
        a = member.get();
        b = member.get();
        members = List.of(a, b);
        ElectorOptions election = ElectorOptions.ofTtl(ttl).build();
        leader = a.tenure.elector(name, election);
        Elector follower = b.tenure.elector(name, election);
        electors = List.of(leader, follower);
        leader.campaign();
        token = leader.token().orElseThrow();
        follower.campaign();
        until("follows", () -> !b.events(Following.class).isEmpty());
    }

    String name() {
        return name;
    }

    /** What the server answers to whoever wants a lease that is free. */
    StoreException refusal() {
        return StoreFixture.failure(() ->
                StoreFixture.get(a.store.acquire(StoreFixture.lock(StoreFixture.claim(lockName + "-free", "x")))));
    }

    /** Waits until the server refuses in those words: to refuse may take it a moment. */
    StoreException awaitRefusal(String words) {
        StoreException[] last = new StoreException[1];
        until("refuses with " + words, () -> {
            last[0] = refusal();
            return last[0] != null && String.valueOf(last[0].getMessage()).contains(words);
        });
        return last[0];
    }

    /** Waits until the leader has found out that it can renew no more. */
    void awaitNobodyLeads() {
        until("nobody leads", () -> electors.stream().noneMatch(Elector::isLeader));
    }

    /** Nothing has happened that cost the leader anything, or told anybody to worry. */
    void assertUndisturbed() {
        assertThat(leader.token()).hasValue(token);
        for (Participant member : members) {
            assertThat(member.events())
                    .noneMatch(event -> event instanceof TenureEvent.LeaseLost
                            || event instanceof TenureEvent.SteppedDown
                            || event instanceof StoreWarning);
        }
    }

    /** Attempts that failed while the server was out of order for {@code span}: doubling pauses, from half a ttl on. */
    void assertNoStorm(Duration span) {
        long most = 3 + 2 * span.toMillis() / ttl.toMillis();
        for (Participant member : members) {
            assertThat(member.events(AttemptFailed.class)).hasSizeLessThanOrEqualTo((int) most);
        }
    }

    /** What was refused for good is told once by each, however often it was tried. */
    void assertToldOnce(String words) {
        for (Participant member : members) {
            until("told of " + words, () -> !refusals(member).isEmpty());
            assertThat(refusals(member))
                    .singleElement()
                    .satisfies(cause -> assertThat(cause).hasMessageContaining(words));
        }
    }

    private static List<StoreException> refusals(Participant member) {
        return member.events(AttemptFailed.class).stream()
                .map(AttemptFailed::cause)
                .filter(cause -> !cause.isTransient())
                .toList();
    }

    /** Somebody leads, writes through the fence, and the former token is refused; locks work, with waiting. */
    void assertHealed() {
        until("somebody leads", () -> electors.stream().anyMatch(Elector::isLeader));
        Participant leading = members.get(electors.get(0).isLeader() ? 0 : 1);
        long now = highestToken();
        assertThat(now).isGreaterThanOrEqualTo(token);
        until("writes through the fence", () -> {
            try {
                leading.store.fence(name).set(now, name + ":value", "v");
                return true;
            } catch (StoreException e) {
                return false; // the connection may not be back yet
            }
        });
        if (now > token) {
            StoreFixture.assertStale(
                    () -> leading.store.fence(name).set(token, name + ":value", "late"), name, token, now);
        }
        assertLocksWork();
    }

    /** Whoever leads resigns, and one leads again. */
    void nextTerm() {
        long before = highestToken();
        electors.forEach(Elector::resign);
        until("one leads again", () -> highestToken() > before);
    }

    /** That of whoever leads, or 0. */
    long highestToken() {
        return electors.stream()
                .mapToLong(elector -> elector.token().orElse(0))
                .max()
                .orElseThrow();
    }

    void assertLocksWork() {
        try (HeldLock held = acquire(a)) {
            CompletionStage<Optional<HeldLock>> waiting =
                    b.tenure.lock(lockName).tryAcquireAsync(Duration.ofSeconds(20));
            held.release();
            StoreFixture.get(waiting).orElseThrow().release();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HeldLock acquire(Participant member) throws InterruptedException {
        return member.tenure.lock(lockName).tryAcquire(Duration.ofSeconds(20)).orElseThrow();
    }
}
