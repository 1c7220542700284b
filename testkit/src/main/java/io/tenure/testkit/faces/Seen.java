package io.tenure.testkit.faces;

import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers the events of one instance. */
final class Seen implements TenureObserver {
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(TenureEvent event) {
        events.add(event);
    }

    List<TenureEvent> all() {
        return List.copyOf(events);
    }

    <E extends TenureEvent> List<E> of(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    boolean has(Class<? extends TenureEvent> kind) {
        return events.stream().anyMatch(kind::isInstance);
    }

    /** The kinds of the events of {@code kinds}, in order, by their simple names. */
    List<String> order(List<Class<? extends TenureEvent>> kinds) {
        return events.stream()
                .filter(event -> kinds.contains(event.getClass()))
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
