package io.tenure.redis;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.spi.StoreListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a store tells once, however often it meets it. Thread-safe. */
final class StoreWarnings implements StoreListener {
    private final RedisPort port;
    private final AtomicBoolean clockTold = new AtomicBoolean();
    private final AtomicBoolean publishTold = new AtomicBoolean();
    private final AtomicBoolean subscribeTold = new AtomicBoolean();
    private volatile StoreListener listener = event -> {};

    StoreWarnings(RedisPort port) {
        this.port = port;
    }

    void listen(StoreListener to) {
        listener = to;
    }

    @Override
    public void report(TenureEvent event) {
        listener.report(event);
    }

    void warn(String message) {
        report(new TenureEvent.StoreWarning(message));
    }

    void uselessClock(String name) {
        if (clockTold.compareAndSet(false, true)) {
            warn("The clock of " + port + " reads a time after the year 2112: tokens of '" + name
                    + "' and other names are counted without it. Set the server's clock right");
        }
    }

    void publishRefused() {
        if (publishTold.compareAndSet(false, true)) {
            warn(port + " does not let this user publish to channels tenure:wake:*:"
                    + " waiters learn of releases by polling only. Grant it PUBLISH and the channels (ACL SETUSER)");
        }
    }

    void renewingSingly(StoreException refusal) {
        warn(port
                + " refuses to renew several leases in one script, and renews them one by one: so they are sent from now"
                + " on, at the cost of a command for each. " + refusal.getMessage());
    }

    void subscriptionRefused(StoreException reason) {
        if (subscribeTold.compareAndSet(false, true)) {
            warn(port + " refuses subscriptions to channels tenure:wake:*: waiters of this process learn of releases by"
                    + " polling only. " + reason.getMessage());
        }
    }
}
