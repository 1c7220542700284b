package io.tenure.internal;

import io.tenure.Timeline;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Collects the renewals that fall due together, and hands them to the store as one batch, on the timer's thread. */
final class RenewalBatch {
    private final LeaseStore store;
    private final Timeline timeline;
    private final Queue<Entry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ReentrantLock sending = new ReentrantLock();

    RenewalBatch(LeaseStore store, Timeline timeline) {
        this.store = store;
        this.timeline = timeline;
    }

    void add(Call call, RenewRequest request, BiConsumer<@Nullable Renewal, @Nullable Throwable> answer) {
        waiting.add(new Entry(call, request, answer));
        if (scheduled.compareAndSet(false, true)) {
            try {
                timeline.schedule(timeline.nanos(), 0, this::flush);
            } catch (RuntimeException | Error e) {
                scheduled.set(false); // the next one asks again
                throw e;
            }
        }
    }

    /** Sends one that somebody waits for: at once, on the calling thread. */
    void sendAlone(Call call, RenewRequest request, BiConsumer<@Nullable Renewal, @Nullable Throwable> answer) {
        sending.lock();
        try {
            if (call.take()) {
                send(List.of(new Entry(call, request, answer)));
            }
        } finally {
            sending.unlock();
        }
    }

    /** Returns once a renewal that is just being sent has been sent, so that nothing follows a release. */
    @SuppressWarnings("LockNotBeforeTry") // there is nothing in between that could fail
    void awaitSending() {
        sending.lock();
        sending.unlock();
    }

    private void flush() {
        scheduled.set(false);
        sending.lock();
        try {
            List<Entry> batch = new ArrayList<>();
            for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
                if (entry.call.take()) {
                    batch.add(entry);
                }
            }
            if (!batch.isEmpty()) {
                send(batch);
            }
        } finally {
            sending.unlock();
        }
    }

    private void send(List<Entry> batch) {
        List<CompletionStage<Renewal>> stages;
        try {
            stages = store.renew(batch.stream().map(Entry::request).toList());
        } catch (RuntimeException | Error e) {
            batch.forEach(entry -> entry.answer.accept(null, e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            Entry entry = batch.get(i);
            CompletionStage<Renewal> stage = stages.get(i);
            entry.call.sent(stage.toCompletableFuture());
            stage.whenComplete(entry.answer);
        }
    }

    private record Entry(Call call, RenewRequest request, BiConsumer<@Nullable Renewal, @Nullable Throwable> answer) {}
}
