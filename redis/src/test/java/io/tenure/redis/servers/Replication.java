package io.tenure.redis.servers;

import java.util.ArrayList;
import java.util.List;

/**
 * How the tests' servers replicate: at once, and as a user of its own, so that one link can be cut between two running servers
 * while everybody else reaches both. A relay in between would not do where sentinels or a cluster tell a replica whom to follow.
 */
final class Replication {
    private static final String USER = "replicator";
    private static final String PASSWORD = "loopback";

    private Replication() {}

    /** Settings of a server that replicates or is replicated; {@code own} ones count over them. */
    static List<String> settings(List<String> own, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--user",
                USER,
                "on",
                ">" + PASSWORD,
                "+psync",
                "+replconf",
                "+ping", //
                "--masteruser",
                USER,
                "--masterauth",
                PASSWORD, //
                "--repl-diskless-sync",
                "yes",
                "--repl-diskless-sync-delay",
                "0"));
        all.addAll(List.of(more));
        all.addAll(own);
        return all;
    }

    /** Cuts off the replicas of {@code server} and those it may yet get; all others reach it as before. */
    static void cut(RedisProcess server) {
        server.cli("ACL", "SETUSER", USER, "off");
        server.cli("CLIENT", "KILL", "USER", USER);
    }

    /** Lets replicas in again; they come within a second. */
    static void join(RedisProcess server) {
        server.cli("ACL", "SETUSER", USER, "on");
    }

    /** Waits until {@code replicas} follow and have all that {@code primary} has written before. */
    static void awaitInSync(RedisProcess primary, List<RedisProcess> replicas) {
        long offset = Long.parseLong(primary.info("master_repl_offset"));
        for (RedisProcess replica : replicas) {
            Waits.await(replica + " follows " + primary, () -> isInSync(replica, primary, offset));
        }
        // A replica that has just got everything is sent nothing more before its first acknowledgement, up to a second
        // later.
        String all = Integer.toString(replicas.size());
        Waits.await(
                primary + " hears of its replicas",
                () -> Integer.parseInt(primary.cli("WAIT", all, "200")) >= replicas.size());
    }

    /**
     * The link alone says little: it may lead to another primary yet, one that has failed. A primary draws its id anew when
     * its first replica comes.
     */
    private static boolean isInSync(RedisProcess replica, RedisProcess primary, long offset) {
        return replica.info("role").equals("slave")
                && replica.info("master_link_status").equals("up")
                && replica.info("master_replid").equals(primary.info("master_replid"))
                && Long.parseLong(replica.info("slave_repl_offset")) >= offset;
    }
}
