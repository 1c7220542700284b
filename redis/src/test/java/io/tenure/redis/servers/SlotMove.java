package io.tenure.redis.servers;

import java.util.ArrayList;
import java.util.List;

/** A slot on its way from one primary to another. In between it stays so until somebody goes on. */
public final class SlotMove {
    private static final int AT_ONCE = 100;
    private static final String TIMEOUT_MILLIS = "10000";

    private final ClusterGroup cluster;
    private final String slot;
    private final RedisProcess from;
    private final RedisProcess to;
    private final String toId;

    SlotMove(ClusterGroup cluster, int slot, RedisProcess from, RedisProcess to) {
        this.cluster = cluster;
        this.slot = "" + slot;
        this.from = from;
        this.to = to;
        toId = ClusterGroup.id(to);
        to.cli("CLUSTER", "SETSLOT", this.slot, "IMPORTING", ClusterGroup.id(from));
        from.cli("CLUSTER", "SETSLOT", this.slot, "MIGRATING", toId);
    }

    public RedisProcess from() {
        return from;
    }

    public RedisProcess to() {
        return to;
    }

    /** Moves these keys of the slot. Who uses some of them and some others is told {@code ASK} here, {@code TRYAGAIN} there. */
    public void keys(List<String> keys) {
        List<String> command =
                new ArrayList<>(List.of("MIGRATE", RedisProcess.HOST, "" + to.port(), "", "0", TIMEOUT_MILLIS, "KEYS"));
        command.addAll(keys);
        from.cli(command.toArray(String[]::new));
    }

    /** Moves all keys that the slot has left at its old owner. */
    public void keys() {
        for (List<String> left = left(); !left.isEmpty(); left = left()) {
            keys(left);
        }
    }

    private List<String> left() {
        return from.list("CLUSTER", "GETKEYSINSLOT", slot, "" + AT_ONCE);
    }

    /** Makes the new owner the owner, and waits until all nodes know. The old one has no keys of the slot any more. */
    public void finish() {
        to.cli("CLUSTER", "SETSLOT", slot, "NODE", toId);
        from.cli("CLUSTER", "SETSLOT", slot, "NODE", toId);
        cluster.awaitOk();
    }
}
