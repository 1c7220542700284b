package io.tenure.examples;

import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.util.ArrayList;
import java.util.List;

/** The code of the README. */
final class Readme {
    private final List<String> written = new ArrayList<>();
    private final Ledger ledger = (token, entry) -> written.add(token + " " + entry);

    /** A resource that is written under tokens. */
    interface Ledger {
        void append(long token, String entry);
    }

    static void role() throws InterruptedException {
        // tag::role
        RedisLeaseStore redis = RedisLeaseStore.connect("redis://localhost:6379"); // throws when there is no server
        try (Tenure tenure = Tenure.over(redis).observer(System.out::println).open()) {
            RedisFence fence = redis.fence("report-builder");
            Elector elector = tenure.elector("report-builder");
            elector.run(term -> {
                // In every term of this instance; run() blocks, and stands again when a term ends.
                while (term.isHeld()) {
                    // A stale token throws StaleTokenException, and nothing is written.
                    fence.hset(term.token(), "jobs:report", "status", "running");
                    Thread.sleep(1_000); // interrupted the moment the term ends
                }
            });
        }
        // end::role
    }

    boolean operation(Tenure tenure, String entry) throws InterruptedException {
        // tag::operation
        // Renewed meanwhile, always released. When somebody else has it: LockNotAcquiredException, at once.
        tenure.lock("cleanup:orders").run(held -> ledger.append(held.token(), entry));
        // Cron: skip when somebody else does it.
        boolean ran = tenure.lock("daily-report").runIfFree(held -> report());
        // 30 s, not renewed unless asked for.
        try (HeldLock held = tenure.lock("orders").acquire()) {
            ledger.append(held.token(), entry);
        }
        // end::operation
        return ran;
    }

    private void report() {
        written.add("report");
    }

    List<String> written() {
        return written;
    }
}
