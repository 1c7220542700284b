package io.tenure.memory;

import io.tenure.spi.Wakeups;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which waiters can be told of a release. Guarded by the lock of the {@link MemoryServer}. */
final class Registrations {
    private final Map<Key, Set<Entry>> entries = new HashMap<>();

    boolean add(Entry entry) {
        return entries.computeIfAbsent(entry.key(), key -> new LinkedHashSet<>())
                .add(entry);
    }

    boolean remove(Entry entry) {
        Set<Entry> same = entries.getOrDefault(entry.key(), Set.of());
        boolean removed = same.contains(entry) && same.remove(entry);
        if (removed && same.isEmpty()) {
            entries.remove(entry.key());
        }
        return removed;
    }

    boolean has(String name, String waiter) {
        return entries.containsKey(new Key(name, waiter));
    }

    List<Entry> of(String name, String waiter) {
        return List.copyOf(entries.getOrDefault(new Key(name, waiter), Set.of()));
    }

    private record Key(String name, String waiter) {}

    /** One interest; equal only to itself, since a waiter may register twice with one listener. */
    static final class Entry {
        private final Key key;
        private final Wakeups.Listener listener;

        Entry(String name, String waiter, Wakeups.Listener listener) {
            this.key = new Key(name, waiter);
            this.listener = listener;
        }

        private Key key() {
            return key;
        }

        String name() {
            return key.name();
        }

        String waiter() {
            return key.waiter();
        }

        Wakeups.Listener listener() {
            return listener;
        }
    }
}
