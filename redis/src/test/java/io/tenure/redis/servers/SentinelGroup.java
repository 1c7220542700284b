package io.tenure.redis.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A primary, its replicas, and three sentinels that watch them and name another primary when it fails. */
public final class SentinelGroup implements ServerFixture {
    /** What the sentinels call it. */
    public static final String NAME = "tenure-main";

    private static final int SENTINELS = 3;
    private static final int QUORUM = 2;
    private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(3);

    private final int replicas;
    private final Duration downAfter;
    private final List<String> settings;
    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<RedisProcess> sentinels = new ArrayList<>();

    private SentinelGroup(int replicas, Duration downAfter, String... settings) {
        this.replicas = replicas;
        this.downAfter = downAfter;
        this.settings = List.of(settings);
    }

    /** One replica, and a primary that counts as failed only after half a minute: busy machines change nothing. */
    public static SentinelGroup steady(String... settings) {
        return new SentinelGroup(1, Duration.ofSeconds(30), settings);
    }

    /** A primary that is silent for a second has failed. */
    public static SentinelGroup failingOver(int replicas, String... settings) {
        return failingOver(replicas, Duration.ofSeconds(1), settings);
    }

    public static SentinelGroup failingOver(int replicas, Duration downAfter, String... settings) {
        return new SentinelGroup(replicas, downAfter, settings);
    }

    @Override
    public void open() {
        RedisProcess primary = new RedisProcess(Role.server(Replication.settings(settings)));
        servers.add(primary);
        primary.start();
        for (int i = 0; i < replicas; i++) {
            servers.add(new RedisProcess(Role.server(
                    Replication.settings(settings, "--replicaof", RedisProcess.HOST, "" + primary.port()))));
        }
        servers.stream().skip(1).forEach(RedisProcess::start);
        Replication.awaitInSync(primary, servers.subList(1, servers.size()));
        List<Integer> ports =
                IntStream.range(0, SENTINELS).mapToObj(i -> Ports.free()).toList();
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(new RedisProcess(ports.get(i), Role.sentinel(lines(primary, ports, i))));
        }
        sentinels.forEach(RedisProcess::start);
        for (RedisProcess sentinel : sentinels) {
            Waits.await("the sentinel at " + sentinel.port() + " knows everybody", () -> knowsAll(sentinel));
        }
    }

    /** They know each other from the start: to find each other out would take them seconds. */
    private List<String> lines(RedisProcess primary, List<Integer> ports, int self) {
        List<String> lines = new ArrayList<>(List.of(
                "sentinel myid " + id(self),
                "sentinel monitor " + NAME + " " + RedisProcess.HOST + " " + primary.port() + " " + QUORUM,
                "sentinel down-after-milliseconds " + NAME + " " + downAfter.toMillis(),
                "sentinel failover-timeout " + NAME + " " + FAILOVER_TIMEOUT.toMillis()));
        for (int i = 0; i < SENTINELS; i++) {
            if (i != self) {
                lines.add(
                        "sentinel known-sentinel %s %s %d %s".formatted(NAME, RedisProcess.HOST, ports.get(i), id(i)));
            }
        }
        return lines;
    }

    private static String id(int index) {
        return String.format(Locale.ROOT, "%040x", index + 1);
    }

    private boolean knowsAll(RedisProcess sentinel) {
        List<String> known = sentinel.list("SENTINEL", "MASTER", NAME);
        return field(known, "num-slaves").equals("" + replicas)
                && field(known, "num-other-sentinels").equals("" + (SENTINELS - 1))
                && field(known, "flags").equals("master")
                && suitable(sentinel) == replicas;
    }

    /**
     * How many replicas a sentinel has heard of by themselves. One that it knows only by name is not promoted, and a fail-over
     * that found none is tried again only after twice its time-out.
     */
    private static long suitable(RedisProcess sentinel) {
        List<String> told = sentinel.list("SENTINEL", "REPLICAS", NAME);
        return IntStream.range(1, told.size())
                .filter(i -> told.get(i - 1).equals("master-link-status")
                        && told.get(i).equals("ok"))
                .count();
    }

    private static String field(List<String> namesAndValues, String name) {
        return namesAndValues.get(namesAndValues.indexOf(name) + 1);
    }

    /** As clients are given it: {@code redis-sentinel://host:port,host:port,host:port#name}. */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> RedisProcess.HOST + ":" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "#" + NAME));
    }

    public List<RedisProcess> sentinels() {
        return List.copyOf(sentinels);
    }

    /** Primary and replicas, first the one that was the primary in the beginning. */
    public List<RedisProcess> servers() {
        return List.copyOf(servers);
    }

    /** Whom the first sentinel that is up takes for the primary. */
    public RedisProcess primary() {
        return named(sentinels.stream().filter(RedisProcess::isUp).findFirst().orElseThrow());
    }

    /** All but the primary. */
    public List<RedisProcess> replicas() {
        RedisProcess primary = primary();
        return servers.stream().filter(server -> server != primary).toList();
    }

    private RedisProcess named(RedisProcess sentinel) {
        int port = Integer.parseInt(
                sentinel.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).get(1));
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Has the sentinels replace a primary that is up, and waits as {@link #awaitFailover} does. A sentinel that sees no suitable
     * replica at the moment refuses, and is told again.
     */
    public RedisProcess failOver() {
        RedisProcess old = primary();
        RedisProcess told = sentinels.get(SENTINELS - 1);
        Waits.await(
                "a fail-over from " + old,
                () -> primary() != old || told.cli("SENTINEL", "FAILOVER", NAME).equals("OK"));
        return awaitFailover(old);
    }

    /**
     * Waits until every sentinel that is up names another primary than {@code old}, that one takes writes, and the other
     * replicas that are up follow it.
     */
    public RedisProcess awaitFailover(RedisProcess old) {
        List<RedisProcess> watching =
                sentinels.stream().filter(RedisProcess::isUp).toList();
        Waits.await("another primary than " + old, () -> {
            List<RedisProcess> named =
                    watching.stream().map(this::named).distinct().toList();
            return named.size() == 1
                    && named.get(0) != old
                    && named.get(0).info("role").equals("master");
        });
        RedisProcess next = named(watching.get(0));
        Replication.awaitInSync(next, followers(next, old));
        return next;
    }

    private List<RedisProcess> followers(RedisProcess primary, RedisProcess old) {
        return servers.stream()
                .filter(server -> server.isUp() && server != primary && server != old)
                .toList();
    }

    /** Waits until all replicas that are up have what the primary has written up to now, one that was the primary too. */
    public void awaitInSync() {
        RedisProcess primary = primary();
        Replication.awaitInSync(primary, followers(primary, primary));
    }

    /** Cuts the links of the primary to its replicas: what it is told from now on is lost with it. Sentinels see it live. */
    public void cutLinks() {
        Replication.cut(primary());
    }

    /** Undoes {@link #cutLinks} on all servers that are up. */
    public void joinLinks() {
        servers.stream().filter(RedisProcess::isUp).forEach(Replication::join);
    }

    @Override
    public void close() {
        Closing.close(Stream.concat(sentinels.stream(), servers.stream()));
        sentinels.clear();
        servers.clear();
    }
}
