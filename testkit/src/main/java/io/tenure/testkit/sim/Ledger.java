package io.tenure.testkit.sim;

import io.tenure.LeaseRecord;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the server's leases and tokens ought to be, kept by what it answered, and told by nothing else: the judge of
 * exclusion, tokens and fences.
 */
final class Ledger {
    private final Agenda agenda;
    private final TokenSource tokens;
    private final Verdict verdict;
    private final Map<String, Book> books = new HashMap<>();

    /** What is known of one name. */
    private static final class Book {
        /** The last lease that was granted. */
        @Nullable
        Grant latest;
        /** Whether the token of {@code latest} was burnt. */
        boolean burnt;

        long counter;
        long mark;
        /** The highest number that was ever minted, as far as was told. */
        long highest;
        /** How often a number was minted again, or may have been, since the server had lost what it counts from. */
        int era;
        /** Who has taken over another incarnation of its id, by which claim. */
        final Map<String, Set<Long>> duels = new HashMap<>();

        long known() {
            return Math.max(counter, mark);
        }

        void stamp(long token) {
            counter = Math.max(counter, token);
            mark = Math.max(mark, token);
            highest = Math.max(highest, token);
        }

        @Nullable
        Grant taking(long now) {
            return latest != null && latest.isTaking(now) ? latest : null;
        }
    }

    Ledger(Agenda agenda, TokenSource tokens, Verdict verdict) {
        this.agenda = agenda;
        this.tokens = tokens;
        this.verdict = verdict;
    }

    private Book book(String name) {
        return books.computeIfAbsent(name, key -> new Book());
    }

    /** @param seen the highest token that the contender had seen when it asked */
    void acquired(Node node, LeaseRequest request, long seen, Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            granted(node, request, seen, granted.token());
        } else {
            denied(request, (Acquisition.Denied) answer);
        }
    }

    private void granted(Node node, LeaseRequest request, long seen, long token) {
        long now = agenda.now();
        Claim claim = request.claim();
        Book book = book(claim.name());
        Grant taking = book.taking(now);
        if (taking != null && taking.isOf(claim)) {
            verdict.unless(
                    token == taking.claim.token(),
                    "law 3",
                    () -> "the same attempt got token " + token + " after " + taking);
            taking.last(now + request.ttl().toNanos());
            return;
        }
        if (taking != null) {
            takenOver(book, taking, request);
            taking.fate = Grant.Fate.TAKEN_OVER;
        }
        verdict.unless(
                token > book.known(),
                "law 2",
                () -> "token " + token + " was granted to " + claim.holder() + " although the server knows "
                        + book.known() + ", last " + book.latest);
        verdict.unless(
                token > seen,
                "law 6",
                () -> "token " + token + " was granted to " + claim.holder() + ", who had seen " + seen);
        verdict.unless(
                tokens != TokenSource.STORE_CLOCK || token > book.highest,
                "law 6",
                () -> "token " + token + " was granted to " + claim.holder() + " after " + book.highest);
        if (token <= book.highest) {
            book.era++;
        }
        book.burnt = false;
        book.stamp(token);
        Grant before = node.knownGrantOf(claim.name(), token);
        if (before != null && before.isWholly(claim.withToken(token))) {
            // its lease was lost with the data, and a late copy of its very request was granted the very token again
            before.revive(book.era, now + request.ttl().toNanos());
            book.latest = before;
        } else {
            book.latest = new Grant(
                    node, claim.withToken(token), book.era, now + request.ttl().toNanos());
            node.granted(book.latest);
        }
    }

    private void takenOver(Book book, Grant taking, LeaseRequest request) {
        Claim claim = request.claim();
        boolean ownId = taking.claim.holder().equals(claim.holder());
        boolean ownLife = taking.claim.incarnation().equals(claim.incarnation());
        boolean leftover = ownLife && request.takeover() != Takeover.NONE && taking.claim.attempt() < claim.attempt();
        boolean duel = !ownLife && request.takeover() == Takeover.ANY_INCARNATION;
        if (!ownId || !leftover && !duel) {
            verdict.broken("law 1", claim.holder() + " was granted what " + taking + " has");
        }
        if (duel) {
            Set<Long> attempts = book.duels.computeIfAbsent(claim.incarnation(), key -> new HashSet<>());
            attempts.add(claim.attempt());
            verdict.unless(
                    attempts.size() == 1, "law 4", () -> claim.holder() + " took over its other incarnation twice");
        }
    }

    private void denied(LeaseRequest request, Acquisition.Denied answer) {
        Grant taking = book(request.claim().name()).taking(agenda.now());
        LeaseRecord told = answer.current();
        if (taking == null) {
            verdict.broken("law 1", request.claim().holder() + " was denied '" + told.name() + "', which is free");
        } else {
            verdict.unless(
                    taking.isAsSeen(told) && told.remaining().toNanos() == taking.until - agenda.now(),
                    "law 1",
                    () -> request.claim().holder() + " was told that token " + told.token() + " has '" + told.name()
                            + "', not " + taking);
        }
    }

    void renewed(Claim claim, long ttl, Renewal answer) {
        long now = agenda.now();
        Book book = book(claim.name());
        Grant taking = book.taking(now);
        boolean current = taking != null && taking.isWholly(claim) && book.known() <= claim.token();
        if (answer instanceof Renewal.Lost) {
            verdict.unless(!current, "law 5", () -> "a renewal of " + taking + " was told that it is lost");
        } else if (!current || taking == null) {
            verdict.broken(
                    "law 5",
                    "a renewal by " + claim.holder() + " with token " + claim.token() + " went through, but "
                            + book.latest + " is the latest and the server knows " + book.known());
        } else {
            taking.last(now + ttl);
            book.stamp(claim.token());
        }
    }

    void released(ReleaseRequest request, boolean ours) {
        long now = agenda.now();
        Claim claim = request.claim();
        Book book = book(claim.name());
        Grant taking = book.taking(now);
        boolean current = taking != null && (claim.token() == 0 ? taking.isOf(claim) : taking.isWholly(claim));
        verdict.unless(
                current == ours,
                "law 5",
                () -> "a release by " + claim.holder() + " with token " + claim.token()
                        + (ours ? " was carried out" : " found nothing") + ", but " + book.latest + " is the latest");
        if (ours && taking != null) {
            taking.fate = Grant.Fate.RELEASED;
            taking.until = now + request.holdFor().toNanos();
        }
        boolean ranOut = taking == null && claim.token() != 0 && claim.token() == book.known();
        if (request.mode() == ReleaseMode.BURN && (ours || ranOut)) {
            burn(book);
        }
    }

    void evicted(LeaseRecord seen, boolean done) {
        Book book = book(seen.name());
        Grant taking = book.taking(agenda.now());
        verdict.unless(
                done == (taking != null && taking.isAsSeen(seen)),
                "law 26",
                () -> "evicting token " + seen.token() + " answered " + done + ", but the latest is " + book.latest);
        if (done && taking != null) {
            taking.fate = Grant.Fate.EVICTED;
            burn(book);
        }
    }

    /** A number is minted that nobody is told: at least one more than any that is known. */
    private static void burn(Book book) {
        book.burnt = true;
        book.stamp(book.known() + 1);
    }

    /** @param under the lease that the writer writes under, or believes to */
    void written(Grant under, boolean accepted) {
        Book book = book(under.claim.name());
        boolean current = under == book.latest && !book.burnt && under.claim.token() == book.known();
        if (!accepted) {
            verdict.unless(!current, "law 25", () -> "a write of " + under + " was refused, although it is current");
            return;
        }
        // Tokens that come from the counter alone may be minted again once all of them were lost: law 6 says so.
        verdict.unless(
                current || tokens == TokenSource.COUNTER && under.era < book.era,
                "law 26",
                () -> "a write of " + under + " was accepted, but the latest is " + book.latest
                        + (book.burnt ? ", burnt" : "") + ", and the server knows " + book.known());
        book.mark = Math.max(book.mark, under.claim.token());
    }

    void lostEverything() {
        books.values().forEach(book -> {
            if (book.latest != null) {
                book.latest.fate = Grant.Fate.DATA_LOST;
            }
            book.counter = 0;
            book.mark = 0;
        });
    }

    void lostCounter(String name) {
        book(name).counter = 0;
    }

    void lostMark(String name) {
        book(name).mark = 0;
    }
}
