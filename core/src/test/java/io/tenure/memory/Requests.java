package io.tenure.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Requests in few words. */
final class Requests {
    static final Duration TTL = Duration.ofSeconds(10);

    private Requests() {}

    /** Puts the waiter into the line behind whoever holds the lock. */
    static Wakeups.Registration inLine(LeaseStore client, String name, String waiter, Wakeups.Listener listener) {
        Wakeups.Registration registration = client.wakeups().await(name, waiter, listener);
        Claim claim = new Claim(name, waiter, waiter, 1, 0);
        now(client.acquire(new LeaseRequest(claim, LeaseKind.LOCK, TTL, 0, Takeover.NONE, TTL)));
        return registration;
    }

    /** Alice's claim, with the token that she was granted. */
    static Claim granted(LeaseStore client, String name, LeaseKind kind) {
        LeaseRequest request = request(name, "alice", kind);
        return request.claim().withToken(((Acquisition.Granted) now(client.acquire(request))).token());
    }

    static LeaseRequest request(String name, String holder, LeaseKind kind) {
        return new LeaseRequest(new Claim(name, holder, "inc", 1, 0), kind, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    static ReleaseRequest release(Claim claim) {
        return new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN);
    }

    /** The answer, which is there already. */
    static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }
}
