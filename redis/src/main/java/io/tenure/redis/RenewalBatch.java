package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** Renewals that travel in one script. Whoever gives up on one stops only its own waiting, the last one the command. */
final class RenewalBatch {
    /** Few enough that the server is not held for long: about half a millisecond. */
    private static final int MAX = 100;

    private final List<Pending> pending = new ArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable CompletableFuture<RedisReply> command;

    private RenewalBatch() {}

    /** The answers, in the order of the requests. On a cluster those of one slot go together. */
    static List<CompletionStage<Renewal>> send(
            RedisPort port, List<RenewRequest> requests, ToLongBiFunction<LeaseKind, Duration> retention) {
        List<CompletionStage<Renewal>> answers = new ArrayList<>(requests.size());
        List<RenewalBatch> batches = new ArrayList<>();
        Map<Integer, RenewalBatch> open = new LinkedHashMap<>();
        for (RenewRequest request : requests) {
            int slot =
                    port.isCluster() ? ClusterNames.slot(request.claim().name().getBytes(UTF_8)) : 0;
            RenewalBatch batch = open.get(slot);
            if (batch == null || batch.pending.size() == MAX) {
                batch = new RenewalBatch();
                open.put(slot, batch);
                batches.add(batch);
            }
            Pending one = batch.new Pending(request);
            batch.pending.add(one);
            answers.add(one);
        }
        batches.forEach(batch -> batch.run(port, retention));
        return answers;
    }

    private void run(RedisPort port, ToLongBiFunction<LeaseKind, Duration> retention) {
        byte[][] keys = new byte[3 * pending.size()][];
        byte[][] args = new byte[4 * pending.size()][];
        for (int i = 0; i < pending.size(); i++) {
            RenewRequest request = pending.get(i).request;
            byte[] name = request.claim().name().getBytes(UTF_8);
            keys[3 * i] = LeaseKeys.lease(name);
            keys[3 * i + 1] = LeaseKeys.counter(name);
            keys[3 * i + 2] = LeaseKeys.mark(name);
            args[4 * i] = LeaseValue.of(request.claim()).getBytes(UTF_8);
            args[4 * i + 1] = RedisLeaseStore.number(request.claim().token());
            args[4 * i + 2] = RedisLeaseStore.millis(request.ttl());
            args[4 * i + 3] = RedisLeaseStore.number(retention.applyAsLong(request.kind(), request.ttl()));
        }
        waiting.set(pending.size());
        CompletionStage<RedisReply> answer = port.run(Scripts.RENEW, keys, args);
        command = answer.toCompletableFuture();
        answer.whenComplete((reply, failure) -> {
            for (int i = 0; i < pending.size(); i++) {
                pending.get(i).settle(reply, i, failure);
            }
        });
    }

    private void abandonOne() {
        CompletableFuture<RedisReply> sent = command;
        if (waiting.decrementAndGet() == 0 && sent != null) {
            sent.cancel(false);
        }
    }

    private final class Pending extends CompletableFuture<Renewal> {
        private final RenewRequest request;

        Pending(RenewRequest request) {
            this.request = request;
        }

        void settle(@Nullable RedisReply batch, int index, @Nullable Throwable failure) {
            Claim claim = request.claim();
            String what = "renewing '" + claim.name() + "'";
            if (batch == null) {
                completeExceptionally(
                        RedisErrors.during(what, failure == null ? new IllegalStateException("no reply") : failure));
                return;
            }
            try {
                RedisReply reply = batch.at(index);
                switch ((int) reply.at(0).asLong()) {
                    case 0 ->
                        complete(new Renewal.Renewed(
                                RedisLeaseStore.known(reply.at(1).asLong())));
                    case 1 -> complete(new Renewal.Lost(current(claim.name(), reply)));
                    default ->
                        completeExceptionally(RedisErrors.during(
                                what, RedisErrors.ofReply(reply.at(1).asString())));
                }
            } catch (RuntimeException e) {
                completeExceptionally(RedisErrors.during(what, e));
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                abandonOne();
            }
            return cancelled;
        }
    }

    private static Optional<LeaseRecord> current(String name, RedisReply reply) {
        return reply.at(1).isNil() ? Optional.empty() : Optional.of(LeaseValue.record(name, reply, 1));
    }
}
