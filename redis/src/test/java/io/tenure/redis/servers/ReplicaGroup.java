package io.tenure.redis.servers;

import io.tenure.testkit.net.TcpRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A primary with replicas and nobody who watches them. Each replica hears of its primary through a relay: cut, the primary
 * knows at once that the replica has gone; held, it believes for a minute that it is still there.
 */
public final class ReplicaGroup implements ServerFixture {
    private final int count;
    private final List<String> settings;
    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<TcpRelay> links = new ArrayList<>();

    /** @param settings of all of them, as {@link RedisProcess#of} takes them */
    public ReplicaGroup(int replicas, String... settings) {
        count = replicas;
        this.settings = List.of(settings);
    }

    @Override
    public void open() {
        RedisProcess primary = new RedisProcess(Role.server(Replication.settings(settings)));
        servers.add(primary);
        primary.start();
        for (int i = 0; i < count; i++) {
            TcpRelay link = TcpRelay.to(primary.port());
            links.add(link);
            RedisProcess replica = new RedisProcess(
                    Role.server(Replication.settings(settings, "--replicaof", RedisProcess.HOST, "" + link.port())));
            servers.add(replica);
            replica.start();
        }
        awaitInSync();
    }

    public RedisProcess primary() {
        return servers.get(0);
    }

    /** One of them, counted from 0; it stays what it is called here, whatever it is told to be. */
    public RedisProcess replica(int index) {
        return servers.get(index + 1);
    }

    /** What lies between a replica and the primary. */
    public TcpRelay link(int index) {
        return links.get(index);
    }

    /** Cuts all links: nothing that is written from now on reaches a replica. */
    public void cutLinks() {
        links.forEach(TcpRelay::refuse);
        links.forEach(TcpRelay::cut);
    }

    /** Lets replicas connect again. They do within a second; {@link #awaitInSync} waits for it. */
    public void joinLinks() {
        links.forEach(TcpRelay::accept);
    }

    /** Waits until the replicas that are up have all that the primary has written up to now. */
    public void awaitInSync() {
        List<RedisProcess> replicas =
                servers.stream().skip(1).filter(RedisProcess::isUp).toList();
        Replication.awaitInSync(primary(), replicas);
    }

    @Override
    public void close() {
        Closing.close(Stream.concat(links.stream(), servers.stream()));
        links.clear();
        servers.clear();
    }
}
