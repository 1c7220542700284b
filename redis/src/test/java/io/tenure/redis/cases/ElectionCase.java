package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the cases of elections share: a server, a role of their own, and instances of it here and in other processes. */
abstract class ElectionCase {
    /** For whatever needs threads and processes to get their turn; reached only by tests that fail. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How late something may be on a machine that has nothing else to do; half of what a poll would make of it. */
    private static final Duration LATE = Duration.ofMillis(500);

    @RegisterExtension
    static final RedisServerRule REDIS = new RedisServerRule();

    @RegisterExtension
    final Children children = new Children();

    final String role = "role-" + UUID.randomUUID().toString().substring(0, 8);
    final Hiccups machine = new Hiccups();
    private final List<Member> members = new ArrayList<>();

    @AfterEach
    void closeMembers() {
        members.forEach(member -> member.tenure.close());
        machine.close();
    }

    /** An instance in this process. */
    final Member member(String who, ElectorOptions.Builder options) {
        return member(who, REDIS.uri(), options);
    }

    final Member member(String who, String uri, ElectorOptions.Builder options) {
        Member made = new Member(who, uri, role, options.build());
        members.add(made);
        return made;
    }

    /** An instance in a process of its own, which stands for election once it has said "ready". */
    final Child contender(String holder, Duration ttl) {
        return children.start(Contender.class, REDIS.uri(), role, holder, ttl.toMillis());
    }

    final Ledger ledger() {
        return new Ledger(REDIS.cli(), role);
    }

    final String leaseKey() {
        return role + ":leader";
    }

    final boolean isFree() {
        return REDIS.cli().exists(leaseKey()) == 0;
    }

    /** How many wait in line, as the server has it. */
    final long waiting() {
        return REDIS.cli().zcard(role + ":waiters");
    }

    /** How long the lease lasts without another renewal; to the millisecond. */
    final Duration remaining() {
        long millis = REDIS.cli().pttl(leaseKey());
        assertThat(millis).as("remaining of %s", role).isNotNegative();
        return Duration.ofMillis(millis);
    }

    /** When the lease ends without another renewal, by the server's clock, in microseconds; to the millisecond. */
    final long expiry() {
        List<Long> answer = REDIS.cli()
                .eval(
                        "local time = redis.call('TIME')"
                                + " return {time[1] * 1000 + math.floor(time[2] / 1000), redis.call('PTTL', KEYS[1])}",
                        io.lettuce.core.ScriptOutputType.MULTI,
                        leaseKey());
        if (answer.get(1) < 0) {
            throw new AssertionError("no lease of " + role);
        }
        return (answer.get(0) + answer.get(1)) * 1_000;
    }

    /** How long something may have taken since {@code begun} that has to happen after {@code span}. */
    final Duration lateSince(long begun, Duration span) {
        return span.plus(LATE).plus(machine.worstSince(begun + span.toNanos()));
    }

    static void soon(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(condition::getAsBoolean);
    }

    /** A pause that is part of the scenario. */
    static void passes(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() - end < 0) {
            java.util.concurrent.locks.LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
