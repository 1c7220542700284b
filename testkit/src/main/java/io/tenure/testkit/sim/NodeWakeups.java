package io.tenure.testkit.sim;

import io.tenure.spi.LeaseStore;
import io.tenure.spi.Wakeups;
import io.tenure.testkit.sim.Trace.What;

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
    Registration registered = connection.wakeups().await(name, waiter, after ->
        world.network().carry(node, () -> node.deliver(() -> {
          node.signalled();
          world.note(node, What.PUSHED, name, after.toMillis());
          listener.wake(after);
        })));
    return new Registration() {
      private boolean over;

      @Override
      public void served() {
        if (!over) {
          over = true;
          registered.served();
        }
      }

      @Override
      public void close() {
        if (!over) {
          over = true;
          world.network().carry(node, registered::close);
        }
      }
    };
  }

  @Override
  public boolean isLive() {
    return world.conditions().pushes() && !disconnected;
  }
}
