package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.SetArgs;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** That what the cases stand on stands. */
class ChildrenTest {
    @RegisterExtension
    static final RedisServerRule REDIS = new RedisServerRule();

    @RegisterExtension
    final Children children = new Children();

    @Test
    void a_child_has_our_classes_says_and_takes_lines_stops_resumes_and_ends() {
        Child child = children.start(Echo.class, REDIS.uri());
        assertThat(child.hear("open")).startsWith("RedisLeaseStore");
        child.tell("one");
        assertThat(child.hear("echo")).isEqualTo("one");

        child.pause();
        child.tell("two");
        Awaitility.await()
                .during(Duration.ofMillis(200))
                .until(() -> child.heard("echo").size() == 1);
        child.resume();
        assertThat(child.hear("echo", 2)).isEqualTo("two");

        assertThat(child.finish()).isZero();
        assertThat(child.lines()).last().isEqualTo("bye");
    }

    @Test
    void a_child_that_is_stopped_can_be_killed() {
        Child child = children.start(Echo.class, REDIS.uri());
        child.hear("open");
        child.pause();
        child.kill();
        assertThat(child.isAlive()).isFalse();
        assertThat(child.heard("bye")).isEmpty();
    }

    @Test
    void the_server_s_clock_runs_on_while_it_is_stopped_and_what_was_sent_waits() {
        REDIS.cli().set("key", "value", SetArgs.Builder.px(100));
        long before = REDIS.micros();
        REDIS.pause();
        CompletableFuture<String> late =
                CompletableFuture.supplyAsync(() -> REDIS.cli().get("key"));
        Awaitility.await().during(Duration.ofMillis(150)).until(() -> !late.isDone());
        REDIS.resume();
        assertThat(late.join()).isNull();
        assertThat(REDIS.micros() - before).isGreaterThanOrEqualTo(150_000);
    }

    static final class Echo {
        public static void main(String[] args) {
            try (RedisLeaseStore store = RedisLeaseStore.connect(args[0]);
                    Scanner orders = new Scanner(System.in)) {
                System.out.println("open " + store);
                while (orders.hasNextLine()) {
                    System.out.println("echo " + orders.nextLine());
                }
            }
            System.out.println("bye");
        }
    }
}
