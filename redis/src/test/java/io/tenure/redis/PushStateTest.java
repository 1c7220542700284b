package io.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static final class HandMovedPort implements RedisPort {
        private final List<Subscriber> subscribers = new ArrayList<>();
        private final List<CompletableFuture<RedisReply>> asked = new ArrayList<>();

        void answer(RedisReply reply) {
            assertThat(asked).hasSize(1);
            asked.remove(0).complete(reply);
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
            action.run();
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
