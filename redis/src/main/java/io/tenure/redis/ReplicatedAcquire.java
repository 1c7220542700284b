package io.tenure.redis;

import io.tenure.NotAcknowledgedException;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Grants that count only once replicas have them. One that too few have in time is released again, plainly: its token was
 * given to nobody, so there is nothing to fence, and a replica that has it keeps the name taken for one ttl at most.
 *
 * <p>A contender that gave up waiting may send the same attempt again, and is granted the same token. A release that is on
 * its way then would end that grant behind its back. So whoever gives up before the release was decided on keeps the
 * grant, which is the engine's to disown, and an attempt whose release is under way is not sent again before that is
 * answered or, if it never is, before the lease has run out.
 */
final class ReplicatedAcquire {
    private final RedisPort port;
    private final Acknowledgement wanted;
    private final Function<ReleaseRequest, CompletionStage<Boolean>> release;
    private final Runnable onFailure;
    private final Map<Claim, Long> takingBack = new ConcurrentHashMap<>();

    ReplicatedAcquire(
            RedisPort port,
            Acknowledgement wanted,
            Function<ReleaseRequest, CompletionStage<Boolean>> release,
            Runnable onFailure) {
        this.port = port;
        this.wanted = wanted.requireWithin(port);
        this.release = release;
        this.onFailure = onFailure;
    }

    CompletionStage<Acquisition> send(
            LeaseRequest request, byte[][] keys, byte[][] args, Function<RedisReply, Acquisition> read) {
        Claim claim = request.claim();
        String failed = "Failed acquiring '" + claim.name() + "': ";
        if (request.ttl().compareTo(wanted.shortestTtl()) < 0) {
            return CompletableFuture.failedFuture(
                    StoreException.permanent(
                            failed + "the timeout of minReplicas is "
                                    + wanted.timeout().toMillis() + " ms and the ttl "
                                    + request.ttl().toMillis()
                                    + " ms: it has to be below a third of it, or too little of a lease would be left. Nothing was sent"));
        }
        takingBack.values().removeIf(until -> System.nanoTime() - until > 0);
        if (takingBack.containsKey(claim)) {
            return CompletableFuture.failedFuture(StoreException.passing(failed
                    + "too few replicas acknowledged it before, and that it was released again is not known yet"));
        }
        Attempt attempt = new Attempt(claim, request.ttl(), read);
        attempt.follow(port.runAcknowledged(wanted, ReplicatedAcquire::isGrant, Scripts.ACQUIRE, keys, args));
        return attempt;
    }

    private static boolean isGrant(RedisReply reply) {
        return reply.at(0).asLong() == 1;
    }

    private final class Attempt extends CompletableFuture<Acquisition> {
        private final Claim claim;
        private final Duration ttl;
        private final Function<RedisReply, Acquisition> read;
        private volatile @Nullable CompletableFuture<?> command;

        Attempt(Claim claim, Duration ttl, Function<RedisReply, Acquisition> read) {
            this.claim = claim;
            this.ttl = ttl;
            this.read = read;
        }

        void follow(CompletionStage<Acknowledgement.Outcome> sent) {
            command = sent.toCompletableFuture();
            sent.whenComplete(this::answered);
        }

        private void answered(Acknowledgement.@Nullable Outcome outcome, @Nullable Throwable failure) {
            try {
                if (outcome == null) {
                    failed(failure == null ? new IllegalStateException("no reply") : failure);
                    return;
                }
                Acquisition answer = read.apply(outcome.reply());
                if (outcome.replicas() >= wanted.replicas() || !(answer instanceof Acquisition.Granted granted)) {
                    complete(answer);
                } else {
                    takeBack(claim.withToken(granted.token()), tooFew(outcome.replicas()));
                }
            } catch (RuntimeException e) {
                completeExceptionally(RedisErrors.during(verb(), e));
            }
        }

        private String verb() {
            return "acquiring '" + claim.name() + "'";
        }

        private StoreException tooFew(int replicas) {
            return new NotAcknowledgedException(
                    "Failed " + verb() + ": " + replicas + " of the " + wanted.replicas()
                            + " replicas that minReplicas asks for had it within "
                            + wanted.timeout().toMillis() + " ms; it was released again",
                    wanted.replicas(),
                    replicas);
        }

        private void failed(Throwable failure) {
            RuntimeException told = RedisErrors.during(verb(), failure);
            if (told instanceof StoreException refused && !refused.isTransient()) {
                // It may be the wait that was refused, after a grant, and what is refused for good grants nothing.
                takeBack(claim, refused);
            } else {
                completeExceptionally(told);
            }
        }

        private void takeBack(Claim granted, StoreException why) {
            // Before the look whether somebody gave up: an attempt that is sent again after that finds this.
            Long until = System.nanoTime() + ttl.toNanos();
            boolean first = takingBack.putIfAbsent(claim, until) == null;
            if (isDone()) {
                if (first) {
                    takingBack.remove(claim, until);
                }
                return;
            }
            release.apply(new ReleaseRequest(granted, Duration.ZERO, ReleaseMode.PLAIN))
                    .whenComplete((ended, failure) -> {
                        StoreException told = failure == null ? why : unknown(why, failure);
                        // Before the failure is told: whoever hears of it may try again at once.
                        if (told == why) {
                            takingBack.remove(claim, until);
                        }
                        completeExceptionally(told);
                    });
        }

        private StoreException unknown(StoreException why, Throwable failure) {
            Throwable cause = RedisErrors.causeOf(failure);
            boolean refusedToo = cause instanceof StoreException store && !store.isTransient();
            if (!why.isTransient() && refusedToo) {
                return why; // a user who may not do the one most likely may not do the other
            }
            StoreException told = StoreException.passing(
                    "Failed " + verb() + ": replicas did not acknowledge it in time, and that it was released again is"
                            + " not known: the name may be taken for " + ttl.toMillis() + " ms. " + cause.getMessage(),
                    why);
            told.addSuppressed(cause);
            return told;
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            if (!isDone()) {
                onFailure.run();
            }
            return super.completeExceptionally(failure);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!isDone()) {
                onFailure.run();
            }
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> sent = command;
            if (sent != null) {
                sent.cancel(false);
            }
            return cancelled;
        }
    }
}
