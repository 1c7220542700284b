package io.tenure.redis.servers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A Redis Cluster of three primaries, each with a replica where that is asked for. */
public final class ClusterGroup implements ServerFixture {
    public static final int SLOTS = 16_384;

    private static final int PRIMARIES = 3;

    private final int replicasEach;
    private final List<String> settings;
    private final List<RedisProcess> nodes = new ArrayList<>();

    private ClusterGroup(int replicasEach, int timeoutMillis, String... settings) {
        this.replicasEach = replicasEach;
        // A replica that was cut off for long takes over all the same: tests cut links to lose what was written since.
        this.settings = new ArrayList<>(List.of(
                "--cluster-enabled", "yes", //
                "--cluster-config-file", "nodes.conf", //
                "--cluster-node-timeout", "" + timeoutMillis, //
                "--cluster-replica-validity-factor", "0"));
        this.settings.addAll(Arrays.asList(settings));
    }

    /** No replicas, and a node that counts as failed only after half a minute: busy machines change nothing. */
    public static ClusterGroup steady(String... settings) {
        return new ClusterGroup(0, 30_000, settings);
    }

    /** A replica for each primary; a primary that is silent for half a second has failed. */
    public static ClusterGroup failingOver(String... settings) {
        return new ClusterGroup(1, 500, settings);
    }

    @Override
    public void open() {
        for (int i = 0; i < PRIMARIES * (1 + replicasEach); i++) {
            nodes.add(new RedisProcess(Role.server(Replication.settings(settings))));
        }
        nodes.forEach(RedisProcess::start);
        for (int i = 0; i < PRIMARIES; i++) {
            RedisProcess primary = nodes.get(i);
            // Different ones from the start, or nodes have to agree first on who gives way.
            primary.cli("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
            primary.cli(command(List.of("CLUSTER", "ADDSLOTS"), share(i)));
        }
        // Everybody meets everybody: to hear of each other by gossip would take longer.
        for (int i = 0; i < nodes.size(); i++) {
            for (RedisProcess other : nodes.subList(i + 1, nodes.size())) {
                nodes.get(i).cli("CLUSTER", "MEET", RedisProcess.HOST, "" + other.port());
            }
        }
        for (RedisProcess node : nodes) {
            Waits.await(node + " knows all nodes", () -> connected(node) == nodes.size());
        }
        for (int i = PRIMARIES; i < nodes.size(); i++) {
            nodes.get(i).cli("CLUSTER", "REPLICATE", id(nodes.get(i % PRIMARIES)));
        }
        awaitOk();
    }

    private static String[] command(List<String> start, List<String> rest) {
        List<String> all = new ArrayList<>(start);
        all.addAll(rest);
        return all.toArray(String[]::new);
    }

    private static List<String> share(int primary) {
        List<String> slots = new ArrayList<>();
        for (int slot = primary * SLOTS / PRIMARIES; slot < (primary + 1) * SLOTS / PRIMARIES; slot++) {
            slots.add("" + slot);
        }
        return slots;
    }

    private static long connected(RedisProcess node) {
        return ClusterNode.seenBy(node).stream()
                .filter(ClusterNode::isConnected)
                .count();
    }

    static String id(RedisProcess node) {
        return node.cli("CLUSTER", "MYID");
    }

    /** All of them, in the order in which they were made: first those that were primaries then, up or not. */
    public List<RedisProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** The nodes that own slots, in the order of {@link #nodes()}. */
    public List<RedisProcess> primaries() {
        List<ClusterNode> seen = seen();
        return nodes.stream().filter(node -> of(node, seen).isOwner()).toList();
    }

    /** The replicas that follow {@code primary}, up or not. */
    public List<RedisProcess> replicasOf(RedisProcess primary) {
        List<ClusterNode> seen = seen();
        String id = of(primary, seen).id();
        return nodes.stream()
                .filter(node -> of(node, seen).primary().equals(id))
                .toList();
    }

    /** Whom the cluster takes for the owner of a slot. */
    public RedisProcess ownerOf(int slot) {
        return ownerOf(
                slot, nodes.stream().filter(RedisProcess::isUp).findFirst().orElseThrow());
    }

    private RedisProcess ownerOf(int slot, RedisProcess asked) {
        ClusterNode owner = ClusterNode.seenBy(asked).stream()
                .filter(node -> node.owns(slot))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Nobody owns slot " + slot));
        return at(owner.port());
    }

    private RedisProcess at(int port) {
        return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    public int slotOf(String key) {
        return Integer.parseInt(someNode().cli("CLUSTER", "KEYSLOT", key));
    }

    private RedisProcess someNode() {
        return nodes.stream().filter(RedisProcess::isUp).findFirst().orElseThrow();
    }

    private List<ClusterNode> seen() {
        return ClusterNode.seenBy(someNode());
    }

    private static ClusterNode of(RedisProcess node, List<ClusterNode> seen) {
        return seen.stream()
                .filter(each -> each.port() == node.port())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(node + " is unknown to the cluster"));
    }

    /** {@code redis://host:port} of every node, in the order of {@link #nodes()}. */
    public List<String> uris() {
        return nodes.stream().map(RedisProcess::uri).toList();
    }

    /**
     * Waits until all nodes that are up find the cluster in order and agree on who owns which slots, and the replicas that are
     * up have what their primaries have written up to now.
     */
    public void awaitOk() {
        List<RedisProcess> up = nodes.stream().filter(RedisProcess::isUp).toList();
        Waits.await("the cluster is in order", () -> {
            for (RedisProcess node : up) {
                if (!node.cli("CLUSTER", "INFO").contains("cluster_state:ok")) {
                    return false;
                }
            }
            return up.stream().map(ClusterGroup::owners).distinct().count() == 1
                    && up.stream().allMatch(node -> isKnownAs(node, up));
        });
        for (RedisProcess primary : primaries()) {
            if (primary.isUp()) {
                Replication.awaitInSync(
                        primary,
                        replicasOf(primary).stream().filter(RedisProcess::isUp).toList());
            }
        }
    }

    private static List<String> owners(RedisProcess asked) {
        return ClusterNode.seenBy(asked).stream()
                .filter(ClusterNode::isOwner)
                .map(node -> node.id() + " " + node.slots())
                .sorted()
                .toList();
    }

    /** Whether all others see of {@code node} what it sees itself: whom it follows, if anybody. */
    private static boolean isKnownAs(RedisProcess node, List<RedisProcess> up) {
        String own = of(node, ClusterNode.seenBy(node)).primary();
        return up.stream().allMatch(other -> {
            ClusterNode seen = of(node, ClusterNode.seenBy(other));
            return seen.primary().equals(own) && !seen.isFailing();
        });
    }

    /** Kills the owner of a slot, and returns it: {@link #awaitFailover} waits for what the cluster makes of that. */
    public RedisProcess downPrimary(int slot) {
        RedisProcess owner = ownerOf(slot);
        owner.stop();
        return owner;
    }

    /**
     * Waits until a replica of {@code down}, a killed or paused primary, owns its slots in the eyes of all nodes that are up,
     * and the cluster is in order again.
     *
     * @param slot one that {@code down} owned
     * @return the new owner
     */
    public RedisProcess awaitFailover(int slot, RedisProcess down) {
        Waits.await("slot " + slot + " has another owner than " + down, () -> ownerOf(slot) != down);
        awaitOk();
        return ownerOf(slot);
    }

    /** Moves a slot with all its keys from its owner to another primary, without a stop in between. */
    public void moveSlot(int slot, RedisProcess to) {
        SlotMove move = beginMove(slot, to);
        move.keys();
        move.finish();
    }

    /**
     * Begins to move a slot: from now on its owner answers {@code ASK} for keys that it does not have (any more), and its new
     * owner takes them from whoever says {@code ASKING}.
     */
    public SlotMove beginMove(int slot, RedisProcess to) {
        return new SlotMove(this, slot, ownerOf(slot), Objects.requireNonNull(to, "to"));
    }

    /** Cuts the links of a primary to its replicas: what it is told from now on is lost with it. The bus sees it live. */
    public void cutLinks(RedisProcess primary) {
        Replication.cut(primary);
    }

    /** Undoes {@link #cutLinks} on all nodes that are up. */
    public void joinLinks() {
        nodes.stream().filter(RedisProcess::isUp).forEach(Replication::join);
    }

    @Override
    public void close() {
        Closing.close(nodes.stream());
        nodes.clear();
    }
}
