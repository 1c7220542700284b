package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** Renewals that travel in one script. Whoever gives up on one stops only its own waiting, the last one the command. */
final class RenewalBatch {
    private final List<Pending> pending = new ArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable CompletableFuture<RedisReply> command;

    CompletionStage<Renewal> add(RenewRequest request) {
        Pending one = new Pending(request);
        take(one);
        return one;
    }

    private void take(Pending one) {
        pending.add(one);
        waiting.incrementAndGet();
        one.batch = this;
    }

    /** The same renewals one by one, but for those that were given up meanwhile. */
    List<RenewalBatch> singly() {
        List<RenewalBatch> batches = new ArrayList<>();
        for (Pending one : pending) {
            if (!one.isDone()) {
                RenewalBatch alone = new RenewalBatch();
                alone.take(one);
                batches.add(alone);
            }
        }
        return batches;
    }

    int size() {
        return pending.size();
    }

    /** Sends the script, unless nobody waits for it any more. Its answer, or failure, is for {@link #settle}. */
    CompletionStage<RedisReply> run(RedisPort port, ToLongBiFunction<LeaseKind, Duration> retention) {
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
        if (pending.stream().allMatch(CompletableFuture::isDone)) {
            return CompletableFuture.failedFuture(new CancellationException("Nobody waits for this renewal any more"));
        }
        CompletionStage<RedisReply> answer = port.run(Scripts.RENEW, keys, args);
        command = answer.toCompletableFuture();
        return answer;
    }

    void settle(@Nullable RedisReply reply, @Nullable Throwable failure) {
        for (int i = 0; i < pending.size(); i++) {
            pending.get(i).settle(reply, i, failure);
        }
    }

    private void abandonOne() {
        CompletableFuture<RedisReply> sent = command;
        if (waiting.decrementAndGet() == 0 && sent != null) {
            sent.cancel(false);
        }
    }

    private static final class Pending extends CompletableFuture<Renewal> {
        private final RenewRequest request;
        private volatile @Nullable RenewalBatch batch;

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
            RenewalBatch travelling = batch;
            if (cancelled && travelling != null) {
                travelling.abandonOne();
            }
            return cancelled;
        }
    }

    private static Optional<LeaseRecord> current(String name, RedisReply reply) {
        return reply.at(1).isNil() ? Optional.empty() : Optional.of(LeaseValue.record(name, reply, 1));
    }
}
