package io.tenure.internal;

import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import io.tenure.Timeline;
import io.tenure.spi.StoreListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The event queues of all observers. */
final class Events implements StoreListener {
    private static final long FLUSH_SECONDS = 2;

    private final List<EventQueue> queues = new ArrayList<>();

    Events(List<TenureObserver> observers, Timeline timeline) {
        for (TenureObserver observer : observers) {
            queues.add(new EventQueue(observer, timeline.background("tenure-events")));
        }
    }

    /** Where nobody observes, the failure of work goes where an unobserved failure of a thread goes. */
    void tell(TenureEvent event) {
        if (queues.isEmpty() && event instanceof TenureEvent.WorkFailed failed) {
            Uncaught.report(failed.cause());
        }
        for (EventQueue queue : queues) {
            queue.tell(event);
        }
    }

    @Override
    public void report(TenureEvent event) {
        tell(event);
    }

    /** Whether the calling thread is in an observer. */
    boolean isDelivering() {
        return queues.stream().anyMatch(EventQueue::isDelivering);
    }

    /** Waits, for two seconds at most, until everything told so far was delivered; not from inside an observer. */
    void flush() {
        if (isDelivering()) {
            return;
        }
        boolean interrupted = false;
        for (EventQueue queue : queues) {
            try {
                queue.flushed().get(FLUSH_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | TimeoutException e) {
                // a slow observer is not waited for any longer
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        queues.forEach(EventQueue::close);
    }
}
