package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Somebody who wants leases: a holder id of one incarnation, over a client of the server. */
final class Contender {
    /** Longer than any test. */
    static final Duration LONG = Duration.ofMinutes(2);

    private final LeaseStore store;
    private final String holder;
    private final String incarnation;
    private final AtomicLong attempts = new AtomicLong();

    Contender(LeaseStore store, String holder, String incarnation) {
        this.store = store;
        this.holder = holder;
        this.incarnation = incarnation;
    }

    String holder() {
        return holder;
    }

    String incarnation() {
        return incarnation;
    }

    LeaseStore store() {
        return store;
    }

    /** A new attempt to be elected. */
    Attempt elects(String name) {
        return attempt(name, LeaseKind.ELECTION, attempts.incrementAndGet());
    }

    /** A new attempt to lock. */
    Attempt locks(String name) {
        return attempt(name, LeaseKind.LOCK, attempts.incrementAndGet());
    }

    /** The attempt with that number, which may have been sent before. */
    Attempt electsAs(String name, long attempt) {
        return attempt(name, LeaseKind.ELECTION, attempt);
    }

    private Attempt attempt(String name, LeaseKind kind, long number) {
        Claim claim = new Claim(name, holder, incarnation, number, 0);
        return new Attempt(new LeaseRequest(claim, kind, LONG, 0, Takeover.NONE, Duration.ZERO));
    }

    Renewal renews(Claim claim, Duration ttl) {
        return renews(claim, LeaseKind.ELECTION, ttl);
    }

    Renewal renews(Claim claim, LeaseKind kind, Duration ttl) {
        return Answers.of(
                store.renew(List.of(new RenewRequest(claim, kind, ttl))).get(0));
    }

    boolean releases(Claim claim) {
        return releases(claim, Duration.ZERO, ReleaseMode.PLAIN);
    }

    boolean releases(Claim claim, Duration holdFor, ReleaseMode mode) {
        return Answers.of(store.release(new ReleaseRequest(claim, holdFor, mode)));
    }

    Optional<LeaseRecord> finds(String name) {
        return Answers.of(store.find(name));
    }

    boolean evicts(LeaseRecord seen) {
        return Answers.of(store.evict(seen));
    }

    /** One attempt; sending it again is the same attempt. */
    final class Attempt {
        private final LeaseRequest request;

        private Attempt(LeaseRequest request) {
            this.request = request;
        }

        Attempt ttl(Duration ttl) {
            return new Attempt(new LeaseRequest(
                    request.claim(), request.kind(), ttl, request.floor(), request.takeover(), request.lineFor()));
        }

        Attempt floor(long floor) {
            return new Attempt(new LeaseRequest(
                    request.claim(), request.kind(), request.ttl(), floor, request.takeover(), request.lineFor()));
        }

        Attempt takingOver(Takeover takeover) {
            return new Attempt(new LeaseRequest(
                    request.claim(), request.kind(), request.ttl(), request.floor(), takeover, request.lineFor()));
        }

        Attempt waiting(Duration lineFor) {
            return new Attempt(new LeaseRequest(
                    request.claim(), request.kind(), request.ttl(), request.floor(), request.takeover(), lineFor));
        }

        Acquisition sent() {
            return Answers.of(store.acquire(request));
        }

        Acquisition.Granted grant() {
            Acquisition answer = sent();
            assertThat(answer).as("the answer to %s", request.claim()).isInstanceOf(Acquisition.Granted.class);
            return (Acquisition.Granted) answer;
        }

        /** The claim that was granted, token included. */
        Claim granted() {
            return request.claim().withToken(grant().token());
        }

        Acquisition.Denied denied() {
            Acquisition answer = sent();
            assertThat(answer).as("the answer to %s", request.claim()).isInstanceOf(Acquisition.Denied.class);
            return (Acquisition.Denied) answer;
        }

        StoreException refused() {
            return Answers.failureOf(store.acquire(request));
        }

        Claim claim() {
            return request.claim();
        }
    }
}
