package io.tenure.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Those who wait for one name, by first arrival. Guarded by the lock of the {@link MemoryServer}. */
final class Line {
    /** When each waiter is taken to have vanished, unless it is seen again. */
    private final Map<String, Long> goneAt = new LinkedHashMap<>();

    /** Lets {@code waiter} in at the end, or keeps it where it is. */
    void enter(String waiter, long now, long lineFor) {
        goneAt.put(waiter, now + 2 * lineFor);
    }

    void leave(String waiter) {
        goneAt.remove(waiter);
    }

    /** The place of {@code waiter} from 1; 0 when it is not in line. */
    int place(String waiter, long now) {
        dropVanished(now);
        int place = 0;
        for (String each : goneAt.keySet()) {
            place++;
            if (each.equals(waiter)) {
                return place;
            }
        }
        return 0;
    }

    /** The first {@code count} that can be reached; whoever cannot be is dropped on the way. */
    List<String> first(int count, long now, Predicate<String> reachable) {
        dropVanished(now);
        List<String> first = new ArrayList<>(count);
        for (Iterator<String> all = goneAt.keySet().iterator(); all.hasNext() && first.size() < count; ) {
            String waiter = all.next();
            if (reachable.test(waiter)) {
                first.add(waiter);
            } else {
                all.remove();
            }
        }
        return first;
    }

    boolean isEmpty(long now) {
        dropVanished(now);
        return goneAt.isEmpty();
    }

    private void dropVanished(long now) {
        goneAt.values().removeIf(at -> now - at >= 0);
    }
}
