package io.tenure.redis;

import io.tenure.LeaseRecord;
import io.tenure.spi.LeaseStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** One listing: a walk over the keys, then a look at each lease found, in order, a few at a time. */
final class LeaseListing extends CompletableFuture<List<LeaseRecord>> {
    private static final int TOGETHER = 50;

    private final LeaseStore store;
    private final RedisPort port;
    private final String prefix;
    private final int limit;
    private final List<LeaseRecord> found = new ArrayList<>();

    LeaseListing(LeaseStore store, RedisPort port, String prefix, int limit) {
        this.store = store;
        this.port = port;
        this.prefix = prefix;
        this.limit = limit;
    }

    LeaseListing start() {
        if (limit <= 0) {
            complete(List.of());
            return this;
        }
        port.keys(LeaseKeys.leasesOf(prefix)).whenComplete((keys, failure) -> {
            if (failure != null) {
                fail(failure);
                return;
            }
            TreeSet<String> names = new TreeSet<>();
            keys.forEach(key -> names.add(LeaseKeys.nameOf(key)));
            look(names.iterator());
        });
        return this;
    }

    private void look(Iterator<String> names) {
        List<CompletableFuture<Optional<LeaseRecord>>> looks = new ArrayList<>();
        while (names.hasNext() && looks.size() < Math.min(TOGETHER, limit - found.size())) {
            looks.add(store.find(names.next()).toCompletableFuture());
        }
        if (looks.isEmpty() || isDone()) {
            complete(List.copyOf(found));
            return;
        }
        CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            for (CompletableFuture<Optional<LeaseRecord>> look : looks) {
                // A key of another type that only looks like a lease is none; any other failure is one of the listing.
                if (!look.isCompletedExceptionally()) {
                    look.join().ifPresent(found::add);
                } else if (!isForeign(look)) {
                    look.whenComplete((none, cause) -> fail(cause));
                    return;
                }
            }
            look(names);
        });
    }

    private static boolean isForeign(CompletableFuture<?> look) {
        return look.handle((none, cause) -> String.valueOf(cause.getMessage()).contains("WRONGTYPE"))
                .join();
    }

    private void fail(Throwable cause) {
        completeExceptionally(RedisErrors.during("listing leases that start with '" + prefix + "'", cause));
    }
}
