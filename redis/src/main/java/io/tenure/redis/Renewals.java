package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.StoreException;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends renewals, many in one script, or one by one where something between client and servers takes no others.
 *
 * <p>A proxy in front of several servers may refuse a script whose keys belong to more than one of them, each in words of
 * its own. So words are not looked at: when a batch is refused for good, which extends nothing, one of its renewals is sent
 * alone. If that one is answered, it was the company that was refused, and from then on all go alone; if it is refused too,
 * the reason is another one, and the rest are not tried.
 */
final class Renewals {
    /** Few enough that the server is not held for long: about half a millisecond. */
    private static final int MOST_TOGETHER = 100;

    private final RedisPort port;
    private final ToLongBiFunction<LeaseKind, Duration> retention;
    private final Consumer<StoreException> onSingly;
    private final AtomicBoolean singly = new AtomicBoolean();

    /** @param onSingly told once, with the refusal of a batch whose renewals are answered one by one */
    Renewals(RedisPort port, ToLongBiFunction<LeaseKind, Duration> retention, Consumer<StoreException> onSingly) {
        this.port = port;
        this.retention = retention;
        this.onSingly = onSingly;
    }

    /** The answers, in the order of the requests. On a cluster those of one slot go together. */
    List<CompletionStage<Renewal>> send(List<RenewRequest> requests) {
        List<CompletionStage<Renewal>> answers = new ArrayList<>(requests.size());
        List<RenewalBatch> batches = new ArrayList<>();
        Map<Integer, RenewalBatch> open = new LinkedHashMap<>();
        int most = singly.get() ? 1 : MOST_TOGETHER;
        for (RenewRequest request : requests) {
            int slot =
                    port.isCluster() ? ClusterNames.slot(request.claim().name().getBytes(UTF_8)) : 0;
            RenewalBatch batch = open.get(slot);
            if (batch == null || batch.size() == most) {
                batch = new RenewalBatch();
                open.put(slot, batch);
                batches.add(batch);
            }
            answers.add(batch.add(request));
        }
        batches.forEach(this::run);
        return answers;
    }

    private void run(RenewalBatch batch) {
        batch.run(port, retention).whenComplete((reply, failure) -> {
            StoreException refusal = refusal(failure);
            if (refusal == null || batch.size() == 1) {
                batch.settle(reply, failure);
            } else {
                tryAlone(batch, refusal);
            }
        });
    }

    private void tryAlone(RenewalBatch batch, StoreException refusal) {
        List<RenewalBatch> all = batch.singly();
        if (all.isEmpty()) {
            return;
        }
        RenewalBatch first = all.get(0);
        List<RenewalBatch> others = all.subList(1, all.size());
        first.run(port, retention).whenComplete((reply, failure) -> {
            first.settle(reply, failure);
            if (reply == null) {
                others.forEach(other -> other.settle(null, refusal));
                return;
            }
            if (singly.compareAndSet(false, true)) {
                onSingly.accept(refusal);
            }
            others.forEach(this::run);
        });
    }

    /** What was refused for good; null when it was not. */
    private static @Nullable StoreException refusal(@Nullable Throwable failure) {
        return failure != null && RedisErrors.causeOf(failure) instanceof StoreException store && !store.isTransient()
                ? store
                : null;
    }
}
