package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Single tries, given up as the engine gives up. */
final class Tries {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private Tries() {}

    /** Whether a renewal succeeds at present. A failure must be one that passes, and the lease never lost. */
    static boolean isRenewed(RedisLeaseStore store, Claim held, LeaseKind kind) throws InterruptedException {
        CompletableFuture<Renewal> renewal =
                store.renew(List.of(new RenewRequest(held, kind, TTL))).get(0).toCompletableFuture();
        try {
            assertThat(renewal.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isInstanceOf(Renewal.Renewed.class);
            return true;
        } catch (TimeoutException e) {
            renewal.cancel(false);
            return false;
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            failure -> assertThat(failure.isTransient())
                                    .as(failure.getMessage())
                                    .isTrue());
            return false;
        }
    }
}
