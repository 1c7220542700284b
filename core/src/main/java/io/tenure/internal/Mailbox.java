package io.tenure.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serialises messages without a thread of its own: the thread that posts handles its message, and whatever others post
 * meanwhile. So an answer is handled on the thread on which it arrived, and a message posted while handling another one
 * waits until that one is done. Lock-free.
 */
final class Mailbox<T> {
    private final Consumer<T> handler;
    /** Null while nobody handles anything; else the messages to come, the newest first, ending in an empty letter. */
    private final AtomicReference<@Nullable Letter<T>> inbox = new AtomicReference<>();

    private volatile @Nullable Thread handling;
    /** What is to be done once nothing is being handled; touched by the handling thread only. */
    private @Nullable List<Runnable> afterwards;

    Mailbox(Consumer<T> handler) {
        this.handler = handler;
    }

    void post(T message) {
        Letter<T> empty = new Letter<>(null, null);
        Letter<T> before = inbox.get();
        while (!inbox.compareAndSet(before, before == null ? empty : new Letter<>(message, before))) {
            before = inbox.get();
        }
        if (before == null) {
            handling = Thread.currentThread();
            handle(message);
            drain(empty).forEach(Runnable::run);
        }
    }

    /** Whether the calling thread is just handling a message, so that it must not wait for what another one leads to. */
    boolean isHandling() {
        return handling == Thread.currentThread();
    }

    /**
     * Runs {@code task} on this thread: at once, or, when this thread is just handling a message, after it has handled all
     * that there are. So {@code task} may wait for what it posts here.
     */
    void afterwards(Runnable task) {
        if (handling != Thread.currentThread()) {
            task.run();
            return;
        }
        if (afterwards == null) {
            afterwards = new ArrayList<>(2);
        }
        afterwards.add(task);
    }

    /** Handles what has come meanwhile, leaves, and returns what is to be done afterwards. */
    private List<Runnable> drain(Letter<T> empty) {
        while (true) {
            List<Runnable> todo = afterwards;
            afterwards = null;
            handling = null;
            if (inbox.compareAndSet(empty, null)) {
                return todo == null ? List.of() : todo;
            }
            handling = Thread.currentThread();
            afterwards = todo;
            handleOldestFirst(inbox.getAndSet(empty));
        }
    }

    private void handleOldestFirst(@Nullable Letter<T> newest) {
        Letter<T> reversed = null;
        for (Letter<T> letter = newest; letter != null; letter = letter.next) {
            if (letter.message != null) {
                reversed = new Letter<>(letter.message, reversed);
            }
        }
        for (Letter<T> letter = reversed; letter != null; letter = letter.next) {
            if (letter.message != null) {
                handle(letter.message);
            }
        }
    }

    private void handle(T message) {
        try {
            handler.accept(message);
        } catch (RuntimeException | Error e) {
            // A message that fails must not stop those behind it.
            Uncaught.report(e);
        }
    }

    private record Letter<T>(@Nullable T message, @Nullable Letter<T> next) {}
}
