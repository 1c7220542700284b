package io.tenure.redis.lettuce;

import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A walk over the keys of one server, a step at a time. */
final class LettuceScan extends CompletableFuture<List<byte[]>> {
    private static final int STEP = 500;

    private final LettuceNode node;
    private final ScanArgs args;
    private final List<byte[]> found = new ArrayList<>();

    LettuceScan(LettuceNode node, byte[] pattern) {
        this.node = node;
        this.args = ScanArgs.Builder.matches(pattern).limit(STEP);
    }

    LettuceScan start() {
        walk(ScanCursor.INITIAL);
        return this;
    }

    private void walk(ScanCursor from) {
        if (isDone()) {
            return;
        }
        try {
            node.commands().scan(from, args).whenComplete((page, failure) -> {
                if (failure != null) {
                    completeExceptionally(LettuceCall.failure(failure, node.toString()));
                    return;
                }
                found.addAll(page.getKeys());
                if (page.isFinished()) {
                    complete(found);
                } else {
                    walk(ScanCursor.of(page.getCursor()));
                }
            });
        } catch (RuntimeException e) {
            completeExceptionally(LettuceCall.failure(e, node.toString()));
        }
    }
}
