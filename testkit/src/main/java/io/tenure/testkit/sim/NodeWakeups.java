package io.tenure.testkit.sim;

import io.tenure.spi.LeaseStore;
import io.tenure.spi.Wakeups;
import io.tenure.testkit.sim.Trace.What;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One node's pushes: they travel like everything else, and so does a waiter's leaving of the line. */
final class NodeWakeups implements Wakeups {
    private final World world;
    private final Node node;
    private final LeaseStore connection;
    private boolean disconnected;

    NodeWakeups(World world, Node node) {
        this.world = world;
        this.node = node;
        this.connection = world.server().connect();
    }

    void disconnect() {
        if (!disconnected) {
            disconnected = true;
            connection.close();
        }
    }

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        world.note(node, What.AWAITING, name, 0);
        Interest interest = new Interest(name, listener);
        interest.registered = connection.wakeups().await(name, waiter, interest);
        return interest;
    }

    @Override
    public boolean isLive() {
        return world.conditions().pushes() && !disconnected;
    }

    private final class Interest implements Registration, Listener {
        private final String name;
        private final Listener listener;
        private @Nullable Registration registered;
        private boolean over;

        private Interest(String name, Listener listener) {
            this.name = name;
            this.listener = listener;
        }

        @Override
        public void wake(Duration after) {
            if (world.conditions().pushes()) {
                world.network().carry(node, () -> node.deliver(() -> arrive(after)));
            }
        }

        private void arrive(Duration after) {
            if (!over) {
                node.signalled();
                world.note(node, What.PUSHED, name, after.toMillis());
                listener.wake(after);
            }
        }

        @Override
        public void served() {
            if (!over) {
                over = true;
                registered().served();
            }
        }

        /** Leaving the line is a message to the server, and may get lost; not listening any more is not. */
        @Override
        public void close() {
            if (!over) {
                over = true;
                world.note(node, What.LEAVING_LINE, name, 0);
                if (!world.network().carry(node, registered()::close)) {
                    registered().served();
                }
            }
        }

        private Registration registered() {
            return Objects.requireNonNull(registered, "registered");
        }
    }
}
