package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StoreException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the error replies of servers come to, as text and on a server: which pass, and what is said of those that do not. */
class RedisErrorsTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private static final String SIX = "ERR Error running script (call to f_a7f30a777e3a14deb342c34c70e37dd1e66eb928): ";

    private final String name = fresh("job");
    private final RedisFence fence = redis.store().fence(name);
    private final long token =
            granted(redis.store(), lock(claim(name, "holder"))).token();

    @Test
    void replies_are_told_apart_by_whether_they_pass() {
        Map<String, Boolean> passing = Map.ofEntries(
                Map.entry("LOADING Redis is loading the dataset in memory", true),
                Map.entry("-LOADING Redis is loading the dataset in memory", true),
                Map.entry("MISCONF Redis is configured to save RDB snapshots", true),
                Map.entry("OOM command not allowed when used memory > 'maxmemory'.", true),
                Map.entry(SIX + "@user_script:9: @user_script: 9: -OOM command not allowed", true),
                Map.entry("@user_script: 9: -OOM command not allowed", true),
                Map.entry("OOM command not allowed when used memory. script: a7f3, on @user_script:1.", true),
                Map.entry(
                        SIX + "@user_script:9: @user_script: 9: -NOREPLICAS Not enough good replicas to write.", true),
                Map.entry("CLUSTERDOWN The cluster is down", true),
                Map.entry("TRYAGAIN Multiple keys request during rehashing of slot", true),
                Map.entry("MASTERDOWN Link with MASTER is down", true),
                Map.entry("BUSY Redis is busy running a script", true),
                Map.entry("NOREPLICAS Not enough good replicas to write.", true),
                Map.entry("ERR max number of clients reached", true),
                Map.entry("WRONGPASS invalid username-password pair", false),
                Map.entry("NOAUTH Authentication required.", false),
                Map.entry("NOPERM this user has no permissions to run the 'evalsha' command", false),
                Map.entry("READONLY You can't write against a read only replica.", false),
                Map.entry("CROSSSLOT Keys in request don't hash to the same slot", false),
                Map.entry("MOVED 3999 127.0.0.1:6381", false),
                Map.entry("WRONGTYPE Operation against a key", false),
                Map.entry("ERR unknown command 'EVALSHA'", false),
                Map.entry("ERR unknown command 'LOADING', with args beginning with: 'BUSY'", false),
                Map.entry("ERR anything else", false),
                // What a script of the user's raises: error(text), error(text, 0), on Redis 6 and 7.
                Map.entry(SIX + "@user_script:1: user_script:1: BUSY x", false),
                Map.entry(SIX + "@user_script:1: BUSY x", false),
                Map.entry(SIX + "@user_script:1: the job is BUSY", false),
                Map.entry("ERR user_script:1: BUSY x script: a7f3, on @user_script:1.", false),
                Map.entry("ERR BUSY x script: a7f3, on @user_script:1.", false));

        assertThat(passing.keySet().stream()
                        .collect(Collectors.toMap(
                                reply -> reply,
                                reply -> RedisErrors.ofReply(reply).isTransient())))
                .isEqualTo(passing);
    }

    @Test
    void what_a_server_refuses_inside_a_script_is_advised_on_in_the_forms_of_redis_and_valkey() {
        Map<String, List<String>> advice = Map.of(
                "lacks a right",
                List.of(
                        SIX + "@user_script:1: @user_script: 1: The user executing the script can't run this command or"
                                + " subcommand",
                        "@user_script: 1: The user executing the script can't run this command or subcommand",
                        "ERR The user executing the script can't run this command or subcommand script: a7, on"
                                + " @user_script:1.",
                        "ERR The user executing the script can't access at least one of the keys mentioned",
                        "ERR ACL failure in script: User u has no permissions to run the 'hset' command script: a7, on"
                                + " @user_script:1.",
                        "ERR ACL failure in script: No permissions to access a key script: a7, on @user_script:1.",
                        "ERR ACL failure in script: No permissions to access a channel",
                        "NOPERM this user has no permissions to access one of the keys"),
                "lacks a command",
                List.of(
                        SIX + "@user_script:1: @user_script: 1: Unknown Redis command called from Lua script",
                        "ERR Unknown Redis command called from script script: a7, on @user_script:1.",
                        "ERR Unknown command called from script script: a7, on @user_script:1.",
                        "ERR unknown command `EVALSHA`, with args beginning with:"),
                "another type",
                List.of(
                        SIX + "@user_script:2: WRONGTYPE Operation against a key holding the wrong kind of value",
                        "WRONGTYPE Operation against a key script: b8, on @user_script:2."),
                "no number",
                List.of(SIX + "@user_script:9: TENURENUMBER x:fence", "ERR TENURENUMBER x:fence script: a7, on @x:1."),
                "read-only replica",
                List.of(SIX
                        + "@user_script:1: @user_script: 1: -READONLY You can't write against a read only replica."));

        advice.forEach((said, replies) -> assertThat(replies)
                .allSatisfy(reply -> assertThat(RedisErrors.ofReply(reply))
                        .hasMessageContaining(said)
                        .hasMessageContaining(reply)));
    }

    @Test
    void law27_the_command_that_a_user_may_not_run_is_named() {
        Map<String, List<String>> named = Map.of(
                "The user may not run 'ASKING'. ",
                List.of(
                        "NOPERM this user has no permissions to run the 'asking' command or its subcommand",
                        "NOPERM User u has no permissions to run the 'asking' command"),
                "The user may not run 'CLUSTER|NODES'. ",
                List.of("NOPERM this user has no permissions to run the 'cluster|nodes' command"),
                "The user may not run 'HSET'. ",
                List.of("ERR ACL failure in script: User u has no permissions to run the 'hset' command script: a7, on"
                        + " @user_script:1."),
                "The user lacks a right",
                List.of(
                        "NOPERM this user has no permissions to access one of the keys used as arguments",
                        "ERR The user executing the script can't run this command or subcommand script: a7, on"
                                + " @user_script:1."));

        named.forEach((said, replies) -> assertThat(replies)
                .allSatisfy(reply -> assertThat(RedisErrors.ofReply(reply))
                        .hasMessageStartingWith(said)
                        .hasMessageContaining("lacks a right")));
    }

    @Test
    void what_a_body_raises_is_for_good_whatever_it_says() {
        for (String raise : List.of("error('BUSY the job')", "error('OOM here', 0)", "error('x LOADING y', 2)")) {
            assertThatThrownBy(() -> fence.eval(token, raise, List.of(), List.of()))
                    .as(raise)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining("refused the command");
        }
    }

    @Test
    void the_lines_of_errors_are_those_of_the_body() {
        RedisFence external = RedisFence.external(redis.port(), name);
        external.claim(token);
        for (RedisFence either : List.of(fence, external)) {
            assertThatThrownBy(() -> either.eval(token, "local a = 1\nlocal b = nil + a", List.of(), List.of()))
                    .hasMessageContaining("user_script:2:");
            assertThatThrownBy(() -> either.eval(token, "error('no')", List.of(), List.of()))
                    .hasMessageContaining("user_script:1: no");
            assertThatThrownBy(() -> either.eval(token, "\n\nreturn x x", List.of(), List.of()))
                    .hasMessageContaining("user_script:3:");
        }
    }
}
