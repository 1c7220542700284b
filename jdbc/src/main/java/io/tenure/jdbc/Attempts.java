package io.tenure.jdbc;

import io.tenure.StoreException;
import io.tenure.spi.Claim;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The attempts to acquire that are under way, so that the release of one that was given up comes after it. On connections
 * of their own the two could overtake each other, and the name would be taken for a whole ttl by nobody. Thread-safe.
 */
final class Attempts {
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    /** Has {@code call} run, unless it is taken back before that. */
    Attempt begin(Claim claim) {
        Attempt attempt = new Attempt(claim);
        underWay.add(attempt);
        return attempt;
    }

    /**
     * Completes when no attempt of {@code claim} can reach the database any more. One that waits for a thread is taken back;
     * one that runs is over within the time-out of calls.
     */
    CompletionStage<Void> over(Claim claim) {
        return CompletableFuture.allOf(underWay.stream()
                .filter(attempt -> attempt.claim.equals(claim))
                .map(Attempt::takeBack)
                .toArray(CompletableFuture<?>[]::new));
    }

    private enum State {
        WAITING,
        RUNNING,
        TAKEN_BACK
    }

    /** One call. Equal to itself only: an attempt may be sent again while the first sending of it is under way. */
    final class Attempt {
        private final Claim claim;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private volatile boolean settled;

        private Attempt(Claim claim) {
            this.claim = claim;
        }

        <T> T run(Callable<T> call) throws Exception {
            if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
                throw StoreException.passing(
                        "The attempt to acquire '" + claim.name() + "' was given up before it was sent");
            }
            try {
                T result = call.call();
                end();
                return result;
            } catch (RejectedExecutionException e) {
                waitAgain();
                throw e;
            } catch (Throwable e) { // thrown on
                end();
                throw e;
            }
        }

        /** It was called on a thread that was of no use, and has done nothing yet. */
        private void waitAgain() {
            state.set(State.WAITING);
            if (settled) {
                takeBack();
            }
        }

        private CompletableFuture<Void> takeBack() {
            if (state.compareAndSet(State.WAITING, State.TAKEN_BACK)) {
                end();
            }
            return over;
        }

        /** @param answer its stage: when that is complete and this does not run, it never will */
        <T> CompletionStage<T> settledBy(CompletionStage<T> answer) {
            answer.whenComplete((value, failure) -> {
                settled = true;
                takeBack();
            });
            return answer;
        }

        private void end() {
            underWay.remove(this);
            over.complete(null);
        }
    }
}
