package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/from-lock.md. */
class FromLockSnippetsTest {
    private final Tenure tenure = Tenure.inMemory();
    private final List<Long> ledger = new ArrayList<>();

    @AfterEach
    void close() {
        tenure.close();
    }

    @Test
    void with_lock_becomes_run() throws Exception {
        // tag::with-lock
        LeaseLock lock = tenure.lock("cleanup:orders"); // ttl 30 s, renewed while the body runs
        lock.run(Duration.ofSeconds(10), held -> ledger.add(held.token())); // WithWait(10 s)
        // end::with-lock

        assertThat(ledger).hasSize(1);
        assertThat(tenure.find("cleanup:orders")).isEmpty();
    }

    @Test
    void try_acquire_becomes_an_optional() {
        // tag::try-acquire
        Optional<HeldLock> attempt = tenure.lock("daily-report").tryAcquire(); // empty: ErrNotAcquired
        attempt.ifPresent(held -> {
            try (held) {
                ledger.add(held.token()); // FencingToken()
            }
        });
        // end::try-acquire

        assertThat(ledger).hasSize(1);
        HeldLock other = tenure.lock("daily-report").tryAcquire().orElseThrow();
        assertThat(tenure.lock("daily-report").tryAcquire()).isEmpty();
        assertThatThrownBy(() -> tenure.lock("daily-report").run(held -> ledger.add(held.token())))
                .isInstanceOf(LockNotAcquiredException.class);
        other.close();
    }

    @Test
    void release_refresh_and_done_have_their_twins() throws Exception {
        CompletableFuture<EndReason> done = new CompletableFuture<>();
        // tag::held
        LockOptions options =
                LockOptions.ofTtl(Duration.ofSeconds(30)).renewed().build(); // WithTTL, WithAutoRenew(true)
        HeldLock held = tenure.lock("orders", options).acquire(); // waits for as long as it takes
        held.ended().thenAccept(done::complete); // Done(), and with every end, not only a loss
        held.refresh(); // Refresh(ctx); LeaseLostException for ErrNotHeld
        held.release(); // Release(ctx); the same
        // end::held

        assertThat(done.get(20, TimeUnit.SECONDS)).isEqualTo(EndReason.RELEASED);
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_ttl_too_short_to_renew_is_refused() {
        assertThatThrownBy(
                        () -> LockOptions.ofTtl(Duration.ofMillis(29)).renewed().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too short to renew");
        LeaseLock brief =
                tenure.lock("brief", LockOptions.ofTtl(Duration.ofMillis(29)).build());
        assertThatThrownBy(() -> brief.run(held -> ledger.add(held.token())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
