package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Requests to a store, and its answers. */
final class Asking {
    private Asking() {}

    static LeaseRequest election(String name, long attempt) {
        return request(name, LeaseKind.ELECTION, attempt, Duration.ofMinutes(1));
    }

    static LeaseRequest lock(String name, Duration ttl) {
        return request(name, LeaseKind.LOCK, 1, ttl);
    }

    private static LeaseRequest request(String name, LeaseKind kind, long attempt, Duration ttl) {
        Claim claim = new Claim(name, "alice", "incarnation", attempt, 0);
        return new LeaseRequest(claim, kind, ttl, 0, Takeover.NONE, Duration.ZERO);
    }

    static Claim granted(LeaseStore store, LeaseRequest request) {
        Acquisition answer = answer(store.acquire(request));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return request.claim().withToken(((Acquisition.Granted) answer).token());
    }

    static ReleaseRequest releasing(Claim claim) {
        return new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN);
    }

    static RenewRequest renewing(Claim claim) {
        return new RenewRequest(claim, LeaseKind.ELECTION, Duration.ofMinutes(1));
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    static StoreException failure(CompletionStage<?> stage) {
        try {
            Object answer = answer(stage);
            return fail("answered " + answer);
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(StoreException.class);
            return (StoreException) e.getCause();
        }
    }
}
