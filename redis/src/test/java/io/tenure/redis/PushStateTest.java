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
    private final HandMovedPort port = new HandMovedPort();
    private final RedisWakeups wakeups = new RedisWakeups(port, reason -> {}, () -> {});
    private final List<Duration> wakes = new ArrayList<>();

    @Test
    void law20_a_lost_push_connection_is_not_counted_on_until_it_is_back() {
        wakeups.await("a", "waiter", wakes::add);
        assertThat(wakeups.isLive()).as("before it is established").isFalse();
        port.subscriber().established();
        assertThat(wakeups.isLive()).as("established").isTrue();

        port.subscriber().lost();

        assertThat(wakeups.isLive()).as("lost").isFalse();
        wakes.clear();
        port.subscriber().established();
        assertThat(wakeups.isLive()).as("back").isTrue();
        assertThat(wakes).as("what was missed is looked for").containsExactly(Duration.ZERO);
    }

    private static final class HandMovedPort implements RedisPort {
        private final List<Subscriber> subscribers = new ArrayList<>();

        Subscriber subscriber() {
            assertThat(subscribers).hasSize(1);
            return subscribers.get(0);
        }

        @Override
        public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
            return new CompletableFuture<>();
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
