package io.tenure.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.NotAcknowledgedException;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureException;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Requests in few words. */
public final class StoreFixture {
    public static final Duration TTL = Duration.ofSeconds(30);
    private static final AtomicLong NUMBERS = new AtomicLong();

    private StoreFixture() {}

    public static String fresh(String what) {
        return what + NUMBERS.incrementAndGet();
    }

    public static Claim claim(String name, String holder) {
        return new Claim(name, holder, fresh("inc"), 1, 0);
    }

    public static LeaseRequest election(Claim claim) {
        return new LeaseRequest(claim, LeaseKind.ELECTION, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    public static LeaseRequest lock(Claim claim) {
        return new LeaseRequest(claim, LeaseKind.LOCK, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    public static LeaseRequest ttl(LeaseRequest request, Duration ttl) {
        return new LeaseRequest(
                request.claim(), request.kind(), ttl, request.floor(), request.takeover(), request.lineFor());
    }

    public static LeaseRequest floor(LeaseRequest request, long floor) {
        return new LeaseRequest(
                request.claim(), request.kind(), request.ttl(), floor, request.takeover(), request.lineFor());
    }

    public static LeaseRequest takeover(LeaseRequest request, Takeover takeover) {
        return new LeaseRequest(
                request.claim(), request.kind(), request.ttl(), request.floor(), takeover, request.lineFor());
    }

    public static LeaseRequest waiting(LeaseRequest request, Duration lineFor) {
        return new LeaseRequest(
                request.claim(), request.kind(), request.ttl(), request.floor(), request.takeover(), lineFor);
    }

    public static Acquisition.Granted granted(LeaseStore store, LeaseRequest request) {
        Acquisition answer = get(store.acquire(request));
        if (answer instanceof Acquisition.Granted granted) {
            return granted;
        }
        throw new AssertionError("denied: " + answer);
    }

    public static Acquisition.Denied denied(LeaseStore store, LeaseRequest request) {
        Acquisition answer = get(store.acquire(request));
        if (answer instanceof Acquisition.Denied denied) {
            return denied;
        }
        throw new AssertionError("granted: " + answer);
    }

    /** The claim with the token that it was granted. */
    public static Claim hold(LeaseStore store, LeaseRequest request) {
        return request.claim()
                .withToken(acknowledged(() -> granted(store, request)).token());
    }

    /** What {@code call} answers once replicas acknowledge it: those of a busy machine are late now and then. */
    static <T> T acknowledged(Supplier<T> call) {
        long end = System.nanoTime() + TTL.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (NotAcknowledgedException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
            }
        }
    }

    public static Renewal renew(LeaseStore store, Claim claim, LeaseKind kind) {
        return get(store.renew(List.of(new RenewRequest(claim, kind, TTL))).get(0));
    }

    public static boolean release(LeaseStore store, Claim claim) {
        return get(store.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN)));
    }

    public static boolean burn(LeaseStore store, Claim claim) {
        return get(store.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.BURN)));
    }

    public static StoreException failure(ThrowingCallable call) {
        return (StoreException) catchThrowable(call);
    }

    public static void assertStale(ThrowingCallable write, String name, long refused, long mark) {
        assertThatThrownBy(write).isInstanceOfSatisfying(StaleTokenException.class, e -> {
            assertThat(e.name()).isEqualTo(name);
            assertThat(e.token()).isEqualTo(refused);
            assertThat(e.mark()).isEqualTo(mark);
        });
    }

    public static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TenureException failure) {
                throw failure;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
