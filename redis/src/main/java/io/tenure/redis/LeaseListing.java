package io.tenure.redis;

import io.tenure.LeaseRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One listing: a walk over the keys, then a look at each lease found, in order, a few at a time. */
final class LeaseListing extends CompletableFuture<List<LeaseRecord>> {
    private static final int TOGETHER = 50;

    private final RedisPort port;
    private final Function<String, CompletionStage<Optional<LeaseRecord>>> find;
    private final String prefix;
    private final int limit;
    private final List<LeaseRecord> found = new ArrayList<>();

    /** @param find looks at one lease; empty for a key that only looks like one's */
    LeaseListing(
            RedisPort port, Function<String, CompletionStage<Optional<LeaseRecord>>> find, String prefix, int limit) {
        this.port = port;
        this.find = find;
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
            looks.add(find.apply(names.next()).toCompletableFuture());
        }
        if (looks.isEmpty() || isDone()) {
            complete(List.copyOf(found));
            return;
        }
        CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            for (CompletableFuture<Optional<LeaseRecord>> look : looks) {
                if (look.isCompletedExceptionally()) {
                    look.whenComplete((none, cause) -> fail(cause));
                    return;
                }
                look.join().ifPresent(found::add);
            }
            look(names);
        });
    }

    private void fail(Throwable cause) {
        completeExceptionally(RedisErrors.during("listing leases that start with '" + prefix + "'", cause));
    }
}
