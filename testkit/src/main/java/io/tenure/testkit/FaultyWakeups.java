package io.tenure.testkit;

import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Wake-ups that can be lost, broken and invented. */
final class FaultyWakeups implements Wakeups {
    private enum State {
        SOUND,
        LOST,
        BROKEN
    }

    private final Wakeups target;
    private final Set<Interest> interests = ConcurrentHashMap.newKeySet();
    private volatile State state = State.SOUND;

    FaultyWakeups(Wakeups target) {
        this.target = target;
    }

    void lose() {
        state = State.LOST;
    }

    void sever() {
        state = State.BROKEN;
    }

    void restore() {
        State before = state;
        state = State.SOUND;
        if (before == State.BROKEN) {
            tell(interest -> true, Duration.ZERO);
        }
    }

    void wake(String name, Duration after) {
        tell(interest -> interest.name.equals(name), after);
    }

    private void tell(Predicate<Interest> whom, Duration after) {
        interests.stream().filter(whom).forEach(interest -> interest.listener.wake(after));
    }

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        Registration registration = target.await(name, waiter, after -> {
            if (state == State.SOUND) {
                listener.wake(after);
            }
        });
        Interest interest = new Interest(name, listener, registration);
        interests.add(interest);
        return interest;
    }

    @Override
    public boolean isLive() {
        return state != State.BROKEN && target.isLive();
    }

    private final class Interest implements Registration {
        private final String name;
        private final Listener listener;
        private final Registration registration;

        private Interest(String name, Listener listener, Registration registration) {
            this.name = name;
            this.listener = listener;
            this.registration = registration;
        }

        @Override
        public void served() {
            interests.remove(this);
            registration.served();
        }

        @Override
        public void close() {
            interests.remove(this);
            registration.close();
        }
    }
}
