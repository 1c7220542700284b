package io.tenure.redis.cases;

import static io.tenure.redis.StoreFixture.get;
import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.servers.ReadmeUser;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Law 27 for a user who has the rights that the README lists, and not one more, or one less. */
class RightsCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(1);

    @BeforeEach
    void theUserOfTheReadme() {
        ReadmeUser.on(redis.port());
    }

    private void acl(String... rules) {
        ReadmeUser.change(redis.port(), rules);
    }

    private Participant member() {
        return bench.member(ReadmeUser.in(redis.uri()));
    }

    private Electorate electorate() {
        return new Electorate(bench, TTL, "app:", this::member);
    }

    @Test
    void law27_with_the_rights_of_the_readme_everything_works_and_nobody_is_warned() throws InterruptedException {
        Electorate all = new Electorate(bench, Duration.ofSeconds(5), "app:", this::member);
        RedisFence fence = all.a.store.fence(all.name());
        fence.hset(all.token, "app:hash", "f", "v");
        fence.set(all.token, "app:text", "v");
        fence.del(all.token, "app:text");
        fence.claim(all.token);
        fence.batch(all.token).hset("app:hash", "g", "v").set("app:text", "w").apply();
        assertThat(fence.eval(all.token, "return redis.call('GET', KEYS[2])", List.of("app:text"), List.of())
                        .asString())
                .isEqualTo("w");
        assertThat(redis.cli().hgetall("app:hash")).containsKeys("f", "g");

        String name = bench.name("app:lock");
        HeldLock held = all.a.tenure.lock(name).acquire();
        CompletionStage<Optional<HeldLock>> waiting = all.b.tenure.lock(name).tryAcquireAsync(Duration.ofSeconds(20));
        until(
                "waits",
                () -> redis.cli().zcard(name + ":waiters") == 1
                        && all.b.store.wakeups().isLive());
        held.refresh();
        held.release();
        get(waiting).orElseThrow().release();
        assertThat(all.a.tenure.list("app:", 100))
                .extracting(record -> record.name())
                .contains(all.name());
        assertThat(get(all.b.store.evict(all.b.tenure.find(all.name()).orElseThrow())))
                .isTrue();
        until("a newer one leads", () -> all.highestToken() > all.token);
        all.assertHealed();
        for (Participant member : List.of(all.a, all.b)) {
            assertThat(member.events())
                    .noneMatch(event -> event instanceof StoreWarning
                            || event instanceof TenureEvent.AttemptFailed
                            || event instanceof TenureEvent.RenewalFailed
                            || event instanceof TenureEvent.ReleaseFailed);
        }
        assertThat(get(all.a.store.durability()).toString()).contains("UNKNOWN").doesNotContain("secret");
    }

    @Test
    void law27_names_and_keys_outside_of_the_prefix_are_refused() {
        Participant member = member();
        assertThatThrownBy(() -> member.tenure.lock("other").tryAcquire())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("keys of the lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eval", "mget", "mset", "time", "set"})
    void law27_without_a_command_at_first_standing_for_election_is_refused_with_its_name(String command) {
        acl("-" + command);
        Elector elector = member().tenure.elector(bench.name("app:role"));

        assertThatThrownBy(elector::campaign)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("lacks a right")
                .hasMessageMatching(told(command));
    }

    /** Not just somewhere: what is advised of every missing right, and what the server says, name commands too. */
    private static String told(String command) {
        return "(?s).*The user may not run ('[A-Z]+' or )*'" + command.toUpperCase(Locale.ROOT) + "'.*";
    }

    @ParameterizedTest
    @ValueSource(strings = {"set", "eval"})
    void law27_without_a_command_at_first_a_lock_is_refused_with_its_name(String command) {
        acl("-" + command);
        assertThatThrownBy(() -> member().tenure.lock(bench.name("app:lock")).acquire())
                .isInstanceOf(StoreException.class)
                .hasMessageMatching(told(command));
    }

    @Test
    void law27_a_release_without_the_right_to_delete_names_it() throws InterruptedException {
        HeldLock held = member().tenure.lock(bench.name("app:lock")).acquire();
        acl("-del");
        assertThatThrownBy(held::release).isInstanceOf(StoreException.class).hasMessageMatching(told("del"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-eval -evalsha", "-mget"})
    void law27_rights_that_are_withdrawn_later_are_told_once_tried_at_a_slowing_pace_and_healed_by_granting_them(
            String rules) {
        Electorate all = electorate();
        acl(rules.split(" "));
        all.leader.resign();
        all.awaitNobodyLeads();
        String lacking = "lacks a right";
        all.assertToldOnce(lacking);
        long before = all.b.wire.count(Verb.ACQUIRE);
        Bench.pause(TTL.multipliedBy(3));
        all.assertToldOnce(lacking);
        assertThat(all.b.wire.count(Verb.ACQUIRE) - before).isBetween(1L, 5L);
        assertThat(all.b.events(StoreWarning.class)).isEmpty();

        acl(rules.replace('-', '+').split(" "));
        all.assertHealed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-publish", "-subscribe", "resetchannels"})
    void law21_without_a_right_that_pushes_need_waiters_poll_and_are_told_once_and_no_release_fails(String rule)
            throws InterruptedException {
        acl(rule);
        Electorate all = electorate();
        for (int round = 0; round < 3; round++) {
            all.assertLocksWork();
        }
        all.leader.resign();
        all.assertHealed();

        List<StoreWarning> warnings = all.b.events(StoreWarning.class);
        assertThat(warnings).isNotEmpty().doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(2);
        assertThat(warnings)
                .allSatisfy(warning -> assertThat(warning.message())
                        .contains("tenure:wake:*", "poll")
                        .doesNotContain("secret"));
        assertThat(all.a.events(TenureEvent.ReleaseFailed.class)).isEmpty();
        assertThat(all.b.events(TenureEvent.ReleaseFailed.class)).isEmpty();
    }
}
