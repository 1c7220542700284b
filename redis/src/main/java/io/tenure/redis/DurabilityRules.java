package io.tenure.redis;

import io.tenure.TokenSource;
import io.tenure.redis.DurabilityReport.Finding;
import io.tenure.redis.DurabilityReport.Grade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What settings mean for leases and tokens. Without state of its own but whether tokens come from the clock. */
final class DurabilityRules {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final long YEAR_2020 = Instant.parse("2020-01-01T00:00:00Z").getEpochSecond();
    /** From here on the scripts leave the clock out: 2^52 microseconds. */
    private static final long YEAR_2112 = (1L << 52) / 1_000_000;
    /** More than two clocks that are set right, and two answers to one look, can be apart. */
    private static final long CLOCKS_APART = 60;

    private final boolean counted;

    DurabilityRules(TokenSource tokens) {
        counted = tokens == TokenSource.COUNTER;
    }

    DurabilityReport report(RedisPort port, List<ServerFacts> servers) {
        List<Finding> findings = new ArrayList<>();
        OptionalLong first = servers.get(0).seconds();
        for (ServerFacts facts : servers) {
            findings.add(version(facts));
            findings.add(role(facts));
            findings.add(persistence(facts));
            if (facts.is("rdb_last_bgsave_status", "err") || facts.is("aof_last_write_status", "err")) {
                findings.add(failingDisk(facts));
            }
            findings.add(eviction(facts));
            if (!facts.is("role", "slave")) {
                findings.add(replication(facts));
            }
            if (port.isCluster() || facts.is("cluster_enabled", "1")) {
                findings.add(port.isCluster() ? slots(facts) : node(facts));
            }
            if (!counted) {
                findings.add(clock(facts, first));
            }
        }
        return new DurabilityReport(findings);
    }

    private static Finding version(ServerFacts facts) {
        String field = facts.info("valkey_version").isPresent() ? "valkey_version" : "redis_version";
        String version = facts.info(field).orElse("");
        String setting = field + "=" + (version.isEmpty() ? "?" : version);
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            return unknown(facts, setting, "Whether this server is one that Tenure supports", "INFO");
        }
        int major = Integer.parseInt(numbers.group(1));
        if (major < 6 || major == 6 && Integer.parseInt(numbers.group(2)) < 2) {
            return new Finding(
                    facts.server(),
                    Grade.RISK,
                    setting,
                    "Scripts of Tenure are not tested on servers this old.",
                    "Update it to Redis 6.2 or Valkey 7.2, or later.");
        }
        return good(facts, setting, "Tenure supports it.");
    }

    private static Finding role(ServerFacts facts) {
        String setting = "role=" + facts.info("role").orElse("?");
        if (facts.info("role").isEmpty()) {
            return unknown(facts, setting, "Whether this server takes writes", "INFO");
        }
        if (facts.is("role", "slave")) {
            return new Finding(
                    facts.server(),
                    Grade.DANGER,
                    setting,
                    "A replica refuses every write (READONLY): nothing is acquired, renewed or written by a fence.",
                    "Connect to its primary, or by sentinels.");
        }
        if (facts.is("loading", "1")) {
            return new Finding(
                    facts.server(),
                    Grade.NOTE,
                    setting + " loading=1",
                    "The server is loading its data: it answers nothing else until it has done so.",
                    "Wait.");
        }
        return good(facts, setting, "It takes writes.");
    }

    private Finding persistence(ServerFacts facts) {
        String appendonly = facts.setting("appendonly").orElse("?");
        if (appendonly.equals("?")) {
            return unknown(
                    facts, "appendonly=? appendfsync=? save=?", "What a restart of the server forgets", "CONFIG GET");
        }
        if (!appendonly.equals("yes")) {
            return snapshots(facts);
        }
        String setting = facts.named("appendonly") + " " + facts.named("appendfsync");
        return switch (facts.setting("appendfsync").orElse("?")) {
            case "always" -> good(facts, setting, "A grant is on disk before it is answered: a restart forgets none.");
            case "everysec" ->
                new Finding(
                        facts.server(),
                        counted ? Grade.RISK : Grade.NOTE,
                        setting,
                        "A crash of the machine forgets the last second or two, and leases that were granted then: "
                                + forgotten(),
                        "Set appendfsync always where two holders for a moment are too many.");
            case "no" ->
                new Finding(
                        facts.server(),
                        counted ? Grade.DANGER : Grade.RISK,
                        setting,
                        "A crash of the machine forgets the last half minute or so, and leases that were granted then: "
                                + forgotten(),
                        "Set appendfsync always, or everysec.");
            default -> unknown(facts, setting, "How much a crash of the machine forgets", "CONFIG GET");
        };
    }

    private Finding snapshots(ServerFacts facts) {
        String save = facts.setting("save").orElse("?");
        String what = save.isEmpty()
                ? "A restart forgets all leases, counters and marks: "
                : "A crash brings the last snapshot back, if any, without what was granted or released since: ";
        return new Finding(
                facts.server(),
                counted ? Grade.DANGER : Grade.RISK,
                facts.named("appendonly") + " " + facts.named("save"),
                what + forgotten(),
                "Set appendonly yes, and appendfsync always or everysec.");
    }

    /** What it means that a lease was forgotten. */
    private String forgotten() {
        String holders = "there may be two holders until the old one's next renewal, ";
        return holders
                + (counted
                        ? "and with counted tokens the new one may have the old one's token."
                        : "told apart by their tokens, which rise on by the clock.");
    }

    private static Finding failingDisk(ServerFacts facts) {
        return new Finding(
                facts.server(),
                Grade.RISK,
                "rdb_last_bgsave_status=" + facts.info("rdb_last_bgsave_status").orElse("?")
                        + " aof_last_write_status="
                        + facts.info("aof_last_write_status").orElse("?"),
                "The server cannot write to its disk: it refuses writes (MISCONF), or forgets them with a restart.",
                "Look into its log; mend the disk or the rights to its folder.");
    }

    private static Finding eviction(ServerFacts facts) {
        String policy = facts.setting("maxmemory-policy").orElse("?");
        String setting = facts.named("maxmemory") + " " + facts.named("maxmemory-policy");
        if (policy.equals("?")) {
            return unknown(facts, setting, "Whether a full server evicts held leases and their tokens", "CONFIG GET");
        }
        if (policy.equals("noeviction")) {
            return good(
                    facts, setting, "Nothing is evicted; a full server refuses new leases and keeps the held ones.");
        }
        if (facts.setting("maxmemory").orElse("?").equals("0")) {
            return new Finding(
                    facts.server(),
                    Grade.NOTE,
                    setting,
                    "Nothing is evicted as long as memory has no limit.",
                    "Set maxmemory-policy noeviction before there is one.");
        }
        return new Finding(
                facts.server(),
                Grade.DANGER,
                setting,
                policy.startsWith("allkeys")
                        ? "A full server evicts held leases, and the counters and marks that refuse stale tokens."
                        : "A full server evicts what expires: held leases, and the counters and marks of locks.",
                "Set maxmemory-policy noeviction, or use a server that is not a cache too.");
    }

    private static Finding replication(ServerFacts facts) {
        String replicas = facts.info("connected_slaves").orElse("?");
        String least = facts.setting("min-replicas-to-write").orElse("?");
        String setting = "connected_slaves=" + replicas + " " + facts.named("min-replicas-to-write") + " "
                + facts.named("min-replicas-max-lag");
        if (replicas.equals("0") && (least.equals("0") || least.equals("?"))) {
            return good(facts, setting, "No replica that lags behind can take over.");
        }
        if (least.equals("?")) {
            return unknown(
                    facts, setting, "Whether a primary that is cut off from its replicas stops granting", "CONFIG GET");
        }
        if (least.equals("0")
                || facts.setting("min-replicas-max-lag").orElse("?").equals("0")) {
            return new Finding(
                    facts.server(),
                    Grade.RISK,
                    setting,
                    "A primary that is cut off goes on granting while a replica takes over: two holders, and its last"
                            + " grants are lost.",
                    "Set min-replicas-to-write 1 and min-replicas-max-lag 10, or stricter.");
        }
        if (inTouch(facts) < Long.parseLong(least)) {
            return new Finding(
                    facts.server(),
                    Grade.DANGER,
                    setting,
                    "Fewer replicas are in touch than it wants: it refuses every write (NOREPLICAS).",
                    "Bring the replicas back, or set min-replicas-to-write lower.");
        }
        return new Finding(
                facts.server(),
                Grade.NOTE,
                setting,
                "A primary that is cut off stops granting after that lag; a fail-over may still lose the last grants.",
                "");
    }

    private static long inTouch(ServerFacts facts) {
        return facts.info("min_slaves_good_slaves").map(Long::parseLong).orElse(Long.MAX_VALUE);
    }

    private static Finding node(ServerFacts facts) {
        return new Finding(
                facts.server(),
                Grade.DANGER,
                "cluster_enabled=1",
                "The server is a node of a cluster, and the client is not: names whose slots are elsewhere are refused.",
                "Use a client for clusters.");
    }

    private static Finding slots(ServerFacts facts) {
        String state = facts.cluster("cluster_state").orElse("?");
        String served = facts.cluster("cluster_slots_ok").orElse("?");
        String setting = "cluster_state=" + state + " cluster_slots_ok=" + served;
        if (state.equals("?")) {
            return unknown(facts, setting, "Whether all slots of the cluster are served", "CLUSTER INFO");
        }
        if (!state.equals("ok") || !served.equals("16384")) {
            return new Finding(
                    facts.server(),
                    Grade.DANGER,
                    setting,
                    "Names whose slots nobody serves cannot be acquired or renewed, or none can (CLUSTERDOWN).",
                    "Bring the missing nodes back, or give their slots to others (redis-cli --cluster fix).");
        }
        return good(facts, setting, "All slots are served.");
    }

    private static Finding clock(ServerFacts facts, OptionalLong first) {
        if (facts.seconds().isEmpty()) {
            return unknown(facts, "TIME=?", "Whether tokens rise by a clock that is set right", "TIME");
        }
        long seconds = facts.seconds().getAsLong();
        String setting = "TIME=" + Instant.ofEpochSecond(seconds);
        if (seconds < YEAR_2020 || seconds > YEAR_2112) {
            return new Finding(
                    facts.server(),
                    Grade.RISK,
                    setting,
                    "After a loss of data, tokens do not rise by this clock: they may repeat.",
                    "Set the server's clock right.");
        }
        if (first.isPresent() && Math.abs(seconds - first.getAsLong()) > CLOCKS_APART) {
            return new Finding(
                    facts.server(),
                    Grade.RISK,
                    setting,
                    "The clocks of the servers differ by more than a minute: a name that moves and loses its counter may"
                            + " get lower tokens.",
                    "Set the clocks of all servers right.");
        }
        return good(facts, setting, "Tokens rise by it through a loss of data, as long as it is not set back.");
    }

    private static Finding good(ServerFacts facts, String setting, String meaning) {
        return new Finding(facts.server(), Grade.GOOD, setting, meaning, "");
    }

    private static Finding unknown(ServerFacts facts, String setting, String what, String command) {
        return new Finding(
                facts.server(),
                Grade.UNKNOWN,
                setting,
                what + " is not known: " + facts.why() + ".",
                "Let this user run " + command + ", or look by another one.");
    }
}
