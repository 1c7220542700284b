package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** When waiters count on being told, over a port that says what becomes of its connection by hand. */
class PushStateTest {
    private static final RedisReply PERMITTED = RedisReply.of(0L);
    private static final RedisReply REFUSED = RedisReply.of(1L);

    private final HandMovedPort port = new HandMovedPort();
    private int warnings;
    private final RedisWakeups wakeups = new RedisWakeups(port, reason -> {}, () -> warnings++);
    private final List<Duration> wakes = new ArrayList<>();

    @Test
    void law20_a_lost_push_connection_is_not_counted_on_until_it_is_back() {
        wakeups.await("a", "waiter", wakes::add);
        assertThat(wakeups.isLive()).as("before it is established").isFalse();
        port.subscriber().established();
        port.answer(PERMITTED);
        assertThat(wakeups.isLive()).as("established").isTrue();

        port.subscriber().lost();

        assertThat(wakeups.isLive()).as("lost").isFalse();
        wakes.clear();
        port.subscriber().established();
        port.answer(PERMITTED);
        assertThat(wakeups.isLive()).as("back").isTrue();
        assertThat(wakes).as("what was missed is looked for").containsExactly(Duration.ZERO);
    }

    @Test
    void law20_a_push_is_not_counted_on_before_this_user_is_known_to_be_allowed_to_publish() {
        wakeups.await("a", "waiter", wakes::add);
        port.subscriber().established();
        assertThat(wakeups.isLive()).as("nothing known").isFalse();

        port.answer(REFUSED);

        assertThat(wakeups.isLive()).as("refused").isFalse();
        assertThat(warnings).isEqualTo(1);
        assertThat(wakes).as("what was missed is looked for").containsExactly(Duration.ZERO);
    }

    @Test
    void law20_a_permission_that_is_told_after_the_connection_was_lost_brings_no_push_to_life() {
        wakeups.await("a", "waiter", wakes::add);
        port.subscriber().established();
        port.subscriber().lost();

        port.answer(PERMITTED);

        assertThat(wakeups.isLive()).isFalse();
    }

    @Test
    void law20_a_release_that_could_not_publish_takes_the_push_back() {
        wakeups.await("a", "waiter", wakes::add);
        port.subscriber().established();
        port.answer(PERMITTED);

        wakeups.mute();

        assertThat(wakeups.isLive()).isFalse();
    }

    @Test
    void law20_a_push_that_came_back_before_the_server_could_be_asked_is_asked_about_when_it_can() {
        wakeups.await("a", "waiter", wakes::add);
        port.subscriber().established();
        port.fail(StoreException.passing("No connection"));
        assertThat(wakeups.isLive()).as("not known").isFalse();

        port.comeBack();
        port.answer(PERMITTED);

        assertThat(wakeups.isLive()).isTrue();
        assertThat(warnings).as("nothing was refused").isZero();
    }

    @Test
    void law21_of_pushes_that_nobody_waits_for_one_a_name_is_passed_on_at_a_time() {
        live();

        for (int i = 0; i < 100; i++) {
            push("0 b");
        }
        assertThat(port.asked).as("the line of b is being left").hasSize(1);
        push("0 c");
        assertThat(port.asked).as("and that of c").hasSize(2);

        port.asked.forEach(leaving -> leaving.complete(PERMITTED));
        port.asked.clear();
        push("0 b");
        assertThat(port.asked).as("again").hasSize(1);
    }

    @Test
    void law20_messages_that_no_script_of_ours_sends_wake_nobody_and_cost_nothing() {
        live();
        List<String> garbage = List.of(
                "",
                " ",
                "0",
                "0 ",
                "a",
                "probe",
                "-1 a",
                "+1 a",
                "1.5 a",
                "9223372036854775807 a",
                "99999999999999999999999 a",
                "0 " + "x".repeat(513),
                "\u0000\uFFFF");

        garbage.forEach(this::push);

        assertThat(wakes).isEmpty();
        assertThat(port.asked).isEmpty();
        push("7 a");
        assertThat(wakes).containsExactly(Duration.ofMillis(7));
    }

    private void live() {
        wakeups.await("a", "waiter", wakes::add);
        port.subscriber().established();
        port.answer(PERMITTED);
        wakes.clear();
    }

    private void push(String message) {
        port.subscriber().message(message.getBytes(UTF_8));
    }

    private static final class HandMovedPort implements RedisPort {
        private final List<Subscriber> subscribers = new ArrayList<>();
        private final List<CompletableFuture<RedisReply>> asked = new ArrayList<>();
        private final List<Runnable> onReturn = new ArrayList<>();

        void answer(RedisReply reply) {
            assertThat(asked).hasSize(1);
            asked.remove(0).complete(reply);
        }

        void fail(StoreException cause) {
            assertThat(asked).hasSize(1);
            asked.remove(0).completeExceptionally(cause);
        }

        void comeBack() {
            onReturn.forEach(Runnable::run);
        }

        Subscriber subscriber() {
            assertThat(subscribers).hasSize(1);
            return subscribers.get(0);
        }

        @Override
        public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
            CompletableFuture<RedisReply> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        }

        @Override
        public CompletionStage<List<byte[]>> keys(byte[] pattern) {
            return new CompletableFuture<>();
        }

        @Override
        public void subscribe(String channel, Subscriber subscriber) {
            subscribers.add(subscriber);
        }

        @Override
        public void onReturn(Runnable action) {
            onReturn.add(action);
        }

        @Override
        public boolean isCluster() {
            return false;
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public void close() {
            subscribers.clear();
        }
    }
}
