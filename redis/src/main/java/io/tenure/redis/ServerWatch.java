package io.tenure.redis;

import io.tenure.redis.DurabilityReport.Finding;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that there is another server than before, or the same one without its data, and what is dangerous about the one
 * there is. It looks when the store is opened, whenever the connection is back, and with the next call after one that
 * failed; it asks once, never in turns of its own, and blocks nobody.
 */
final class ServerWatch {
    private static final long PACE = TimeUnit.SECONDS.toNanos(1);

    private final RedisPort port;
    private final DurabilityRules rules;
    private final Consumer<String> warn;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private final Set<String> told = new HashSet<>();
    private volatile boolean opened;
    private volatile boolean due;
    private volatile long lookedAt;

    /** @param warn takes what somebody should know */
    ServerWatch(RedisPort port, DurabilityRules rules, Consumer<String> warn) {
        this.port = port;
        this.rules = rules;
        this.warn = warn;
        port.onReturn(this::look);
    }

    /** Somebody listens from now on. */
    void open() {
        opened = true;
        look();
    }

    /** A call failed: the next one looks. */
    void doubt() {
        due = true;
    }

    /** Told with every call of those that come often; costs nothing as long as there is no reason to look. */
    void lookIfDue() {
        if (due && System.nanoTime() - lookedAt > PACE) {
            look();
        }
    }

    private void look() {
        if (!opened) {
            return;
        }
        if (!looking.compareAndSet(false, true)) {
            due = true;
            return;
        }
        due = false;
        lookedAt = System.nanoTime();
        ServerFacts.ask(port).whenComplete((servers, failure) -> {
            try {
                if (failure == null) {
                    learn(servers);
                } else {
                    due = true; // there is no answer now; whoever cannot look at all gets an empty one
                }
            } finally {
                looking.set(false);
            }
        });
    }

    /** One look at a time comes here. */
    private void learn(List<ServerFacts> servers) {
        StringBuilder news = new StringBuilder();
        for (ServerFacts facts : servers) {
            if (facts.info("run_id").isPresent()) {
                Seen now = Seen.in(facts);
                Optional<String> change = change(seen.put(facts.server(), now), now, facts);
                change.ifPresent(
                        what -> news.append(news.length() == 0 ? "" : " ").append(what));
            }
        }
        if (news.length() > 0) {
            news.append(" Held leases restore their counters and marks with their next renewal, and the next grants are"
                    + " above every token that their contenders have seen.");
        }
        List<Finding> dangers = rules.report(port, servers).dangers();
        List<Finding> fresh = dangers.stream()
                .filter(finding -> !told.contains(finding.server() + finding.setting()))
                .toList();
        told.clear();
        dangers.forEach(finding -> told.add(finding.server() + finding.setting()));
        if (!fresh.isEmpty()) {
            news.append(news.length() == 0 ? "" : " ").append(DurabilityReport.inOneLine(fresh));
        }
        if (news.length() > 0) {
            warn.accept(news.toString());
        }
    }

    private Optional<String> change(@Nullable Seen before, Seen now, ServerFacts facts) {
        if (before == null) {
            // On a cluster a replica that took over is a server of another name.
            return seen.values().stream().anyMatch(other -> !other.equals(now) && now.continues(other))
                    ? Optional.of(
                            facts.server() + " has taken over from another server, with what had been replicated to"
                                    + " it: the last grants before may be lost.")
                    : Optional.empty();
        }
        if (!before.run.equals(now.run)) {
            String ids = " (run_id " + before.run + ", now " + now.run + ")";
            // Whoever was running already when this one was seen last is not that one. Whole seconds are told, of a
            // clock that
            // may have been about to strike when it started.
            boolean another = TimeUnit.SECONDS.toNanos(now.upSeconds - 1) > now.at - before.at;
            String data;
            if (facts.isEmpty()) {
                data = "with no data at all: leases, counters and marks are gone.";
            } else if (another) {
                data = now.continues(before)
                        ? "with what had been replicated to it: the last grants before may be lost."
                        : "with other data: leases, counters and marks may be gone.";
            } else {
                data = "with what it had kept on disk: the last grants before may be lost.";
            }
            return Optional.of(facts.server() + (another ? " was failed over to another server" : " was restarted")
                    + ids + ", " + data);
        }
        // A primary draws a new id, and forgets the former, also when its first replica comes or its last one is long
        // gone.
        if (before.replication.equals(now.replication) || facts.is("role", "master") && now.isFirst()) {
            return Optional.empty();
        }
        return Optional.of(facts.server() + " was made a replica, or a primary again (master_replid "
                + before.replication + ", now " + now.replication + "): its data may be another server's now.");
    }

    /** Which server it was, by its process and by the history of its data. */
    private record Seen(String run, String replication, String former, long upSeconds, long at) {
        static Seen in(ServerFacts facts) {
            return new Seen(
                    facts.info("run_id").orElse(""),
                    facts.info("master_replid").orElse(""),
                    facts.info("master_replid2").orElse(""),
                    facts.info("uptime_in_seconds").map(Long::parseLong).orElse(0L),
                    System.nanoTime());
        }

        boolean continues(Seen other) {
            return replication.equals(other.replication) || former.equals(other.replication);
        }

        /** Whether its data has no history before this id. */
        boolean isFirst() {
            return former.chars().allMatch(digit -> digit == '0');
        }
    }
}
