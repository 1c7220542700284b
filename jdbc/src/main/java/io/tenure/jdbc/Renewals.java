package io.tenure.jdbc;

import io.tenure.StoreException;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Renews many leases together. What a statement for many leaves open, since somebody has a row locked or was faster, is
 * asked for alone, each in a call of its own: one row that cannot be had must not cost the other leases their time.
 */
final class Renewals {
    /** Few enough for one statement not to hold up others for long. */
    private static final int MOST_TOGETHER = 100;

    private final Function<List<RenewRequest>, CompletionStage<List<Optional<Renewal>>>> together;
    private final Function<RenewRequest, CompletionStage<Renewal>> alone;

    Renewals(
            Function<List<RenewRequest>, CompletionStage<List<Optional<Renewal>>>> together,
            Function<RenewRequest, CompletionStage<Renewal>> alone) {
        this.together = together;
        this.alone = alone;
    }

    List<CompletionStage<Renewal>> send(List<RenewRequest> requests) {
        List<CompletionStage<Renewal>> answers = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += MOST_TOGETHER) {
            List<RenewRequest> batch = requests.subList(from, Math.min(requests.size(), from + MOST_TOGETHER));
            answers.addAll(batch.size() == 1 ? List.of(alone.apply(batch.get(0))) : sendTogether(List.copyOf(batch)));
        }
        return answers;
    }

    private List<CompletableFuture<Renewal>> sendTogether(List<RenewRequest> batch) {
        List<CompletableFuture<Renewal>> answers = new ArrayList<>(batch.size());
        batch.forEach(request -> answers.add(new CompletableFuture<>()));
        together.apply(batch).whenComplete((fates, failure) -> {
            for (int i = 0; i < batch.size(); i++) {
                CompletableFuture<Renewal> answer = answers.get(i);
                if (failure != null) {
                    answer.completeExceptionally(told(batch.get(i), failure));
                } else if (fates.get(i).isPresent()) {
                    answer.complete(fates.get(i).get());
                } else if (!answer.isDone()) {
                    askAlone(batch.get(i), answer);
                }
            }
        });
        return answers;
    }

    private void askAlone(RenewRequest request, CompletableFuture<Renewal> answer) {
        alone.apply(request).whenComplete((fate, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(itself(failure));
            } else {
                answer.complete(fate);
            }
        });
    }

    /** What befell a statement for many names one of them at most, most likely another. */
    private static Throwable told(RenewRequest request, Throwable failure) {
        Throwable cause = itself(failure);
        return cause instanceof StoreException store
                ? store.retold("Failed renewing '" + request.claim().name() + "', with others: " + store.getMessage())
                : cause;
    }

    private static Throwable itself(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
