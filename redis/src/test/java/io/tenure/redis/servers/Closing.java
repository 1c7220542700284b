package io.tenure.redis.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Ends everything, also behind one that fails to end. */
final class Closing {
    private Closing() {}

    static void close(Stream<? extends AutoCloseable> all) {
        List<Exception> failures = new ArrayList<>();
        all.forEach(each -> {
            try {
                each.close();
            } catch (Exception e) {
                failures.add(e);
            }
        });
        if (!failures.isEmpty()) {
            IllegalStateException failure = new IllegalStateException("Not everything ended", failures.get(0));
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
