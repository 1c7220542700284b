package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.cases.MonitorTap.Command;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of releases: beside renewals that are under way, and too late. */
class LockReleaseCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final LockOptions RENEWED = LockOptions.ofTtl(TTL).renewed().build();
    private static final int LANES = 8;
    private static final int CYCLES = 125;

    @Test
    void case17_after_1000_releases_of_which_one_in_three_overtook_a_renewals_answer_nothing_is_left() {
        warmUp();
        MonitorTap tap = bench.tap();
        List<Participant> members = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Doing<Integer>> lanes = new ArrayList<>();
        for (int i = 0; i < LANES; i++) {
            Participant member = bench.member();
            String name = bench.name("lane");
            members.add(member);
            names.add(name);
            lanes.add(Doing.of(() -> cycles(member, name)));
        }
        int heldBack = lanes.stream().mapToInt(Doing::result).sum();
        assertThat(heldBack).isEqualTo(LANES * ((CYCLES + 2) / 3));
        List<Command> during = tap.commands();
        tap.clear();
        long renewals = members.stream()
                .mapToLong(member -> member.wire.count(Verb.RENEW))
                .sum();

        members.forEach(member -> member.wire.deliverAll());
        Bench.pause(TTL);

        assertThat(names).allSatisfy(name -> {
            assertThat(tap.commandsOf(name))
                    .as("commands after the last release")
                    .isEmpty();
            assertThat(redis.cli().keys(name + ":*"))
                    .as("keys: only what keeps the tokens rising")
                    .containsExactlyInAnyOrder(name + ":fence", name + ":fence:applied")
                    .allSatisfy(key -> assertThat(redis.cli().pttl(key)).isPositive());
            assertThat(requestsWhileFree(during, bench.lease(name)))
                    .as("requests between each release and the next grant, and after the last")
                    .hasSize(CYCLES)
                    .containsOnly(0);
        });
        assertThat(members).allSatisfy(member -> {
            assertThat(member.wire.count(Verb.ACQUIRE)).isEqualTo(CYCLES);
            assertThat(member.wire.count(Verb.RELEASE)).isEqualTo(CYCLES);
        });
        assertThat(members.stream()
                        .mapToLong(member -> member.wire.count(Verb.RENEW))
                        .sum())
                .as("no renewal lives on")
                .isEqualTo(renewals);
        assertThat(commandsForReleasedLeases(during)).isEmpty();
    }

    /** The server knows the scripts: it is not asked for the same a second time because of that. */
    private void warmUp() {
        HeldLock held = bench.member()
                .tenure
                .lock(bench.name("warm"), RENEWED)
                .tryAcquire()
                .orElseThrow();
        held.refresh();
        held.release();
    }

    @Test
    void case17_a_renewal_that_the_server_asks_for_again_is_not_repeated_after_the_release() throws Exception {
        String name = bench.name("report");
        try (TcpRelay relay = TcpRelay.to(redis.port())) {
            Participant member = bench.member(relay);
            MonitorTap tap = bench.tap();
            HeldLock first = member.tenure
                    .lock(bench.name("first"), RENEWED)
                    .tryAcquire()
                    .orElseThrow();
            first.refresh();
            first.release();
            HeldLock held = member.tenure.lock(name, RENEWED).tryAcquire().orElseThrow();
            redis.cli().scriptFlush(); // of scripts that the member takes for known
            tap.clear();
            relay.hold(Direction.TO_CLIENT);
            held.refreshAsync();
            until(
                    "the renewal is refused",
                    () -> tap.commandsOf(bench.lease(name)).size() == 1);

            CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
            until(
                    "the release is refused",
                    () -> tap.commandsOf(bench.lease(name)).size() == 2);
            relay.pass(Direction.TO_CLIENT);

            assertThat(release.get(20, TimeUnit.SECONDS)).isNull();
            Bench.pause(TTL.dividedBy(2));
            assertThat(tap.commandsOf(bench.lease(name)).stream().filter(command -> !command.inScript()))
                    .extracting(command -> command.words().get(0))
                    .as("two by digest, and only the release by text")
                    .containsExactly("EVALSHA", "EVALSHA", "EVAL");
            assertThat(bench.isFree(name)).isTrue();
            bench.close(member);
        }
    }

    /** Every third one releases while the answer to a renewal is held back; a few of those are renewals by timer. */
    private int cycles(Participant member, String name) {
        LeaseLock lock = member.tenure.lock(name, RENEWED);
        int heldBack = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            boolean hold = cycle % 3 == 0;
            if (hold) {
                member.wire.next(Verb.RENEW, Fault.holdAnswer());
            }
            HeldLock held = lock.tryAcquire().orElseThrow();
            if (hold) {
                heldBack++;
                int before = member.wire.underWay();
                if (cycle % 60 != 0) {
                    held.refreshAsync();
                }
                until("the renewal is under way", () -> member.wire.underWay() > before);
            }
            held.release();
            assertThat(held.isHeld()).isFalse();
            if (cycle % 2 == 0) {
                member.wire.deliverAll();
            }
        }
        return heldBack;
    }

    /**
     * How many requests name {@code lease} after each release of it, up to the one that is granted next. Whatever is asked
     * for too much is one, also when it names no lease that there ever was.
     */
    private static List<Integer> requestsWhileFree(List<Command> commands, String lease) {
        List<Integer> counts = new ArrayList<>();
        int requests = 0;
        for (Command command : commands) {
            if (!command.inScript() && command.words().contains(lease)) {
                requests++;
            } else if (command.inScript() && command.is("SET", lease) && !counts.isEmpty()) {
                counts.set(counts.size() - 1, requests - 1); // without the one that is granted
            } else if (command.inScript() && command.is("DEL", lease)) {
                requests = 0;
                counts.add(0);
            }
        }
        counts.set(counts.size() - 1, requests);
        return counts;
    }

    /** Commands that name the value of a lease which had been deleted before. */
    private static List<Command> commandsForReleasedLeases(List<Command> commands) {
        Map<String, String> current = new HashMap<>();
        Set<String> released = new HashSet<>();
        List<Command> late = new ArrayList<>();
        for (Command command : commands) {
            if (command.words().stream().anyMatch(released::contains)) {
                late.add(command);
            } else if (command.isVerb("SET") && command.words().get(1).endsWith(":leader")) {
                current.put(command.words().get(1), command.words().get(2));
            } else if (command.isVerb("DEL")) {
                released.add(current.remove(command.words().get(1)));
            }
        }
        assertThat(released).hasSize(LANES * CYCLES);
        return late;
    }

    @Test
    void case20_a_release_that_comes_after_somebody_took_over_says_not_held_changes_nothing_and_wakes_nobody()
            throws Exception {
        String name = bench.name("report");
        Participant late = bench.member();
        Participant next = bench.member();
        Participant third = bench.member();
        HeldLock first = late.tenure
                .lock(name, LockOptions.ofTtl(TTL).build())
                .tryAcquire()
                .orElseThrow();
        Doing<HeldLock> acquire = Doing.of(next.tenure.lock(name, RENEWED)::acquire);
        until("the second waits", () -> redis.cli().zcard(name + ":waiters") == 1);
        // Within the bound of a release before the lease runs out, so that it is awaited when somebody else has it.
        Bench.pause(first.remaining().minusMillis(300));
        late.wire.next(Verb.RELEASE, Fault.holdRequest());
        CompletableFuture<Void> release = first.releaseAsync().toCompletableFuture();
        assertThat(late.wire.underWay()).isEqualTo(1);
        HeldLock second = acquire.result();
        RedisFence fence = next.store.fence(name);
        fence.set(second.token(), name + ":value", "of the second");
        Doing<HeldLock> waiting = Doing.of(third.tenure.lock(name, RENEWED)::acquire);
        until("the third waits", () -> redis.cli().zcard(name + ":waiters") == 1);
        String lease = redis.cli().get(bench.lease(name));
        List<String> pushes = new CopyOnWriteArrayList<>();
        RedisClient client = RedisClient.create(redis.uri());
        try (StatefulRedisPubSubConnection<String, String> ear = client.connectPubSub()) {
            ear.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String pattern, String channel, String message) {
                    pushes.add(channel + " " + message);
                }
            });
            ear.sync().psubscribe("tenure:wake:*", "end");

            late.wire.deliverAll();

            assertThatThrownBy(() -> release.get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
            assertThat(redis.cli().get(bench.lease(name))).isEqualTo(lease).endsWith("-" + second.token());
            assertThat(redis.cli().get(name + ":value")).isEqualTo("of the second");
            fence.set(second.token(), name + ":value", "again");
            // Messages come in order: whatever was published before this one would have come.
            redis.cli().publish("end", "");
            until("heard everything", () -> pushes.contains("end "));
            assertThat(pushes).containsExactly("end ");
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
        assertThat(second.isHeld()).isTrue();
        assertThat(waiting.isOver()).isFalse();
        assertThatThrownBy(first::release).isInstanceOf(LeaseLostException.class);
        second.release();
        assertThat(waiting.result().token()).isGreaterThan(second.token());
    }
}
