package io.tenure.testkit.sim;

/**
 * The thread of a leader's work, which never starts: the work begins and ends when the simulation says so, and runs, in
 * one go and on the simulation's thread, when it ends.
 */
final class SimulatedWork extends Thread {
    private final Node node;
    private final Runnable run;

    SimulatedWork(Node node, Runnable run) {
        super(run, "simulated-work");
        this.node = node;
        this.run = run;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it never starts: there is nothing to guard
    public void start() {
        node.workStarted(this);
    }

    @Override
    public void interrupt() {
        node.workInterrupted(this);
    }

    void end() {
        run.run();
    }
}
