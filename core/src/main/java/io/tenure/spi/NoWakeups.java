package io.tenure.spi;

/** The absence of a push. */
final class NoWakeups implements Wakeups {
    private static final Registration NOTHING = new Registration() {
        @Override
        public void served() {}

        @Override
        public void close() {}
    };

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        return NOTHING;
    }

    @Override
    public boolean isLive() {
        return false;
    }
}
