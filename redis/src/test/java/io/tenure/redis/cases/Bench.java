package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What cases of locks share: members on one server, closed after each test, and names that no other test uses. */
final class Bench implements AfterEachCallback {
    /** Longer than anything takes on a busy machine; reached only by tests that fail. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final RedisServerRule server;
    private final List<Participant> members = new CopyOnWriteArrayList<>();
    private final Hiccups hiccups = new Hiccups();
    private final List<MonitorTap> taps = new CopyOnWriteArrayList<>();

    Bench(RedisServerRule server) {
        this.server = server;
    }

    /** How late anything may be: a second, beyond what the machine itself was late. */
    Duration late() {
        return hiccups.worst().plusSeconds(1);
    }

    void assertPunctual(List<Duration> late) {
        hiccups.assertPunctual(late);
    }

    String name(String what) {
        return what + "-" + NUMBERS.incrementAndGet();
    }

    Participant member() {
        return member(RedisStoreOptions.defaults(), builder -> builder);
    }

    Participant member(RedisStoreOptions options, UnaryOperator<Tenure.Builder> how) {
        return member(server.uri(), options, how);
    }

    /** One whose way to the server is {@code relay}. To be {@linkplain #close(Participant) closed} before it. */
    Participant member(TcpRelay relay) {
        return member("redis://127.0.0.1:" + relay.port(), RedisStoreOptions.defaults(), builder -> builder);
    }

    /** One that connects by {@code uri}, as another user perhaps. */
    Participant member(String uri) {
        return member(uri, RedisStoreOptions.defaults(), builder -> builder);
    }

    private Participant member(String uri, RedisStoreOptions options, UnaryOperator<Tenure.Builder> how) {
        Participant member = new Participant(RedisLeaseStore.connect(uri, options), how);
        members.add(member);
        return member;
    }

    /** What the server does from now on, in its own order. */
    MonitorTap tap() {
        MonitorTap tap = MonitorTap.on(server.port(), cli());
        taps.add(tap);
        return tap;
    }

    RedisCommands<String, String> cli() {
        return server.cli();
    }

    String lease(String name) {
        return name + ":leader";
    }

    boolean isFree(String name) {
        return cli().exists(lease(name)) == 0;
    }

    /** Waits until {@code condition} holds; fails the test when it never does. */
    static void until(String what, BooleanSupplier condition) {
        await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(condition::getAsBoolean);
    }

    /** A pause that is a part of the story. */
    static void pause(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        try {
            for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
                Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void close(Participant member) {
        member.wire.heal();
        CompletableFuture<Void> end = member.tenure.closeAsync().toCompletableFuture();
        until("closes", end::isDone);
        assertThat(end).isCompleted();
        members.remove(member);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        taps.forEach(MonitorTap::close);
        taps.clear();
        members.forEach(this::close);
        hiccups.close();
    }
}
