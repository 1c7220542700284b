package io.tenure.redis.lettuce;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What opens connections at present: closing waits for its end, so that no connection is left behind. Thread-safe. */
final class LettuceUnderWay {
    private final Map<Long, CompletableFuture<Void>> all = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();

    /** Counts one more, until the future is completed. */
    CompletableFuture<Void> begin() {
        long number = begun.incrementAndGet();
        CompletableFuture<Void> over = new CompletableFuture<>();
        all.put(number, over);
        over.whenComplete((end, failure) -> all.remove(number));
        return over;
    }

    int count() {
        return all.size();
    }

    /** Complete when all is over that has begun before. */
    CompletableFuture<Void> over() {
        return CompletableFuture.allOf(all.values().toArray(CompletableFuture[]::new));
    }
}
