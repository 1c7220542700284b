package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.redis.lettuce.LettuceClients;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a refusal leaves, for every command of every script: the user loses one right after the other, and whatever the
 * server refuses then, no lease is made or extended, no lease is ended without its token burnt, and no fenced write is
 * both applied and refused. The tokens may have risen.
 */
class RedisRightsTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");
    private static final Duration LEFT = Duration.ofSeconds(20);
    private static RedisLeaseStore limited;
    private static RedisPort limitedPort;

    private final RedisLeaseStore store = redis.store();
    private final RedisCommands<String, String> cli = redis.cli();

    @BeforeAll
    static void limit() {
        acl("SETUSER", "limited", "on", ">pw", "~*", "&*", "+@all");
        String uri = redis.uri().replace("redis://", "redis://limited:pw@");
        limited = RedisLeaseStore.connect(uri);
        limitedPort = LettuceClients.connect(uri);
    }

    @AfterAll
    static void close() {
        limited.close();
        limitedPort.close();
    }

    private static void acl(String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            args.add(word);
        }
        redis.cli().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }

    // ---- acquire

    @Test
    void law27_a_refused_acquire_leaves_no_lease() {
        List<UnaryOperator<LeaseRequest>> kinds = List.of(
                request -> request,
                request -> new LeaseRequest(request.claim(), LeaseKind.ELECTION, TTL, 0, Takeover.NONE, Duration.ZERO));
        List<Consumer<String>> before = List.of(
                fresh -> {},
                used -> release(store, hold(store, lock(claim(used, "earlier")))),
                permanent -> release(store, hold(store, election(claim(permanent, "earlier")))),
                lost -> cli.set(lost + ":fence", "7"));
        for (UnaryOperator<LeaseRequest> kind : kinds) {
            for (Consumer<String> prepare : before) {
                withoutEach(Scripts.ACQUIRE, name -> {
                    prepare.accept(name);
                    long stood = stood(name);
                    LeaseRequest request = kind.apply(lock(claim(name, "a")));

                    if (isRefused(() -> get(limited.acquire(request)))) {
                        assertThat(cli.exists(name + ":leader")).isZero();
                        assertThat(stood(name)).isGreaterThanOrEqualTo(stood);
                    } else {
                        assertThat(stood(name)).isGreaterThan(stood);
                        release(store, request.claim());
                    }
                });
            }
        }
    }

    @Test
    void law27_a_refused_acquire_leaves_a_lease_of_somebody_else_and_of_its_own_as_it_was() {
        for (Takeover takeover : List.of(Takeover.NONE, Takeover.ANY_INCARNATION)) {
            withoutEach(Scripts.ACQUIRE, name -> {
                hold(store, election(claim(name, "a")));
                String value = cli.get(name + ":leader");

                LeaseRequest next = takeover(waiting(election(claim(name, "a")), TTL), takeover);
                if (isRefused(() -> get(limited.acquire(next)))) {
                    assertThat(cli.get(name + ":leader")).isEqualTo(value);
                }
            });
        }
    }

    // ---- renew

    @Test
    void law27_a_refused_renewal_extends_nothing() {
        List<Consumer<String>> before = List.of(
                steady -> {},
                expiring -> {
                    cli.pexpire(expiring + ":fence", 5_000);
                    cli.pexpire(expiring + ":fence:applied", 5_000);
                },
                behind -> cli.set(behind + ":fence", "7", SetArgs.Builder.px(5_000)),
                lost -> cli.del(lost + ":fence", lost + ":fence:applied"));
        for (LeaseKind kind : LeaseKind.values()) {
            for (Consumer<String> prepare : before) {
                withoutEach(Scripts.RENEW, name -> {
                    Claim held = hold(store, lock(claim(name, "a")));
                    cli.pexpire(name + ":leader", LEFT.toMillis());
                    prepare.accept(name);

                    if (isRefused(() -> renew(limited, held, kind))) {
                        assertThat(cli.pttl(name + ":leader")).isBetween(1L, LEFT.toMillis());
                    } else {
                        assertThat(cli.pttl(name + ":leader")).isGreaterThan(LEFT.toMillis());
                        assertThat(stood(name)).isEqualTo(held.token());
                    }
                });
            }
        }
    }

    // ---- the ends

    @Test
    void law27_a_refused_release_leaves_the_lease_and_none_ends_without_the_burn_that_was_asked_for() {
        for (ReleaseMode mode : ReleaseMode.values()) {
            for (Duration holdFor : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
                withoutEach(Scripts.RELEASE, name -> {
                    Claim held = hold(store, lock(claim(name, "a")));
                    denied(store, waiting(lock(claim(name, "waiter")), TTL));
                    cli.pexpire(name + ":leader", LEFT.toMillis());
                    String value = cli.get(name + ":leader");

                    if (isRefused(() -> get(limited.release(new ReleaseRequest(held, holdFor, mode))))) {
                        assertThat(cli.get(name + ":leader")).isEqualTo(value);
                        assertThat(cli.pttl(name + ":leader")).isBetween(5_001L, LEFT.toMillis());
                    } else {
                        assertThat(cli.pttl(name + ":leader")).isLessThanOrEqualTo(5_000L);
                        assertThat(stood(name)).isEqualTo(held.token() + (mode == ReleaseMode.BURN ? 1 : 0));
                    }
                });
            }
        }
    }

    @Test
    void law27_a_refused_eviction_leaves_the_lease() {
        withoutEach(Scripts.EVICT, name -> {
            hold(store, election(claim(name, "a")));
            denied(store, waiting(lock(claim(name, "waiter")), TTL));
            LeaseRecord seen = get(store.find(name)).orElseThrow();
            String value = cli.get(name + ":leader");

            if (isRefused(() -> get(limited.evict(seen)))) {
                assertThat(cli.get(name + ":leader")).isEqualTo(value);
            } else {
                assertThat(cli.exists(name + ":leader")).isZero();
                assertThat(stood(name)).isEqualTo(seen.token() + 1);
            }
        });
    }

    // ---- fences

    @Test
    void law27_a_refused_fenced_write_was_not_applied() {
        FenceScripts scripts = FenceScripts.onStore();
        List<Consumer<String>> before = List.of(
                steady -> {},
                expiring -> {
                    cli.pexpire(expiring + ":fence", 5_000);
                    cli.pexpire(expiring + ":fence:applied", 5_000);
                },
                lost -> cli.del(lost + ":fence:applied"));
        for (Consumer<String> prepare : before) {
            for (RedisScript script : List.of(scripts.hset, scripts.set, scripts.del, scripts.claim)) {
                withoutEach(script, name -> {
                    long token = hold(store, lock(claim(name, "a"))).token();
                    prepare.accept(name);
                    writeAndCheck(script, limited.fence(name), token, name);
                });
            }
        }
    }

    @Test
    void law27_a_refused_write_by_a_fence_of_a_foreign_lease_was_not_applied() {
        FenceScripts scripts = FenceScripts.external();
        for (long behind : new long[] {0, 1}) {
            for (RedisScript script : List.of(scripts.hset, scripts.set, scripts.del, scripts.claim)) {
                withoutEach(script, name -> {
                    RedisFence.external(redis.port(), name).claim(10 - behind);
                    writeAndCheck(script, RedisFence.external(limitedPort, name), 10, name);
                });
            }
        }
    }

    private void writeAndCheck(RedisScript script, RedisFence fence, long token, String name) {
        String hash = name + "-hash";
        String text = name + "-text";
        String gone = name + "-gone";
        cli.set(gone, "v");
        boolean refused = isRefused(() -> {
            switch (script.name()) {
                case "fence-hset" -> fence.hset(token, hash, "f", "v");
                case "fence-set" -> fence.set(token, text, "v");
                case "fence-del" -> fence.del(token, gone);
                default -> fence.claim(token);
            }
        });
        boolean applied = cli.exists(hash, text) == 1 || cli.exists(gone) == 0;
        assertThat(applied).isEqualTo(!refused && !script.name().endsWith("claim"));
    }

    // ---- one right after the other

    /** Runs {@code use} with a new name once for each command of {@code script}, while the user may not use it. */
    private void withoutEach(RedisScript script, Consumer<String> use) {
        Set<String> commands = new TreeSet<>();
        Matcher call = CALL.matcher(script.body());
        while (call.find()) {
            commands.add(call.group(1));
        }
        assertThat(commands).as(script.name()).isNotEmpty();
        List<Throwable> broken = new ArrayList<>();
        for (String command : commands) {
            acl("SETUSER", "limited", "-" + command.toLowerCase(java.util.Locale.ROOT));
            Throwable wrong = catchThrowable(() -> use.accept(fresh("job")));
            acl("SETUSER", "limited", "+@all");
            if (wrong != null) {
                broken.add(new AssertionError(script.name() + " without " + command + ": " + wrong.getMessage()));
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Whether the server refused it: for good, and with advice. */
    private static boolean isRefused(Runnable use) {
        Throwable failure = catchThrowable(use::run);
        if (failure == null) {
            return false;
        }
        assertThat(failure).isInstanceOf(StoreException.class).hasMessageContaining("lacks a right");
        assertThat(((StoreException) failure).isTransient()).isFalse();
        return true;
    }

    /** Where the tokens of {@code name} stand. */
    private long stood(String name) {
        return cli.mget(name + ":fence", name + ":fence:applied").stream()
                .mapToLong(value -> value.hasValue() ? Long.parseLong(value.getValue()) : 0)
                .max()
                .orElse(0);
    }
}
