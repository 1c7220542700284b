package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.tenure.StoreException;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connecting that comes to nothing: how long it takes, how it is stopped, and what is said of it. */
class LettuceConnectTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private ServerSocket silent;

    /** Takes connections, and never says a word. */
    @BeforeEach
    void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
    }

    private String address() {
        return "127.0.0.1:" + silent.getLocalPort();
    }

    @Test
    void law27_a_server_that_does_not_answer_is_given_up_after_the_time_out_of_the_url_which_is_named() {
        long began = System.nanoTime();

        StoreException e = failure(() -> RedisLeaseStore.connect("redis://" + address() + "?timeout=300ms"));

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(300), Duration.ofMillis(300).plusSeconds(20));
        assertThat(e.isTransient()).isTrue();
        assertThat(e).hasMessageContainingAll(address(), "300 ms", "timeout of the URL", "rediss://");
        StoreException unset = failure(() -> RedisLeaseStore.connect("redis://" + address()));
        assertThat(unset).hasMessageContainingAll(address(), "2000 ms");
    }

    @Test
    void law27_tls_with_a_port_that_does_not_speak_it_says_so() throws Exception {
        StoreException plain = failure(() -> RedisLeaseStore.connect("rediss://127.0.0.1:" + redis.port()));
        assertThat(plain.isTransient()).isTrue();
        assertThat(plain).hasMessageContainingAll("127.0.0.1:" + redis.port(), "rediss:// if that port speaks TLS");

        CompletableFuture<Void> hungUp = CompletableFuture.runAsync(this::hangUp, task -> {
            Thread thread = new Thread(task, "hang-up");
            thread.setDaemon(true);
            thread.start();
        });
        StoreException e = failure(() -> RedisLeaseStore.connect("rediss://" + address()));
        assertThat(e).hasMessageContainingAll(address(), "hung up", "rediss:// if that port speaks TLS");
        hungUp.get(20, TimeUnit.SECONDS);
    }

    private void hangUp() {
        try (Socket taken = silent.accept()) {
            taken.getInputStream().read();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void law27_sentinels_that_do_not_answer_are_named_with_their_primary() {
        StoreException e = failure(() -> RedisLeaseStore.connect("redis-sentinel://" + address() + "?timeout=1s#main"));

        assertThat(e.isTransient()).as(e.getMessage()).isTrue();
        assertThat(e).hasMessageContainingAll("the primary 'main' of the sentinels at " + address());
    }

    @Test
    void an_interrupt_ends_connecting_is_named_and_stays_with_the_thread() throws Exception {
        StoreException own = interrupted(() -> RedisLeaseStore.connect("redis://" + address() + "?timeout=1h"));
        assertThat(own).hasMessageContainingAll("interrupted while it connected", address());

        RedisClient client = RedisClient.create("redis://" + address() + "?timeout=1h");
        try {
            StoreException given = interrupted(() -> LettuceStores.of(client));
            assertThat(given).hasMessageContainingAll("interrupted while it connected", "given Lettuce client");
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    /** Interrupts a thread of its own once its connection is there, and waits for what it throws. */
    private StoreException interrupted(Supplier<RedisLeaseStore> connecting)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                connecting.get().close();
                thrown.completeExceptionally(new AssertionError("It is connected"));
            } catch (RuntimeException e) {
                flag.complete(Thread.currentThread().isInterrupted());
                thrown.complete(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        try (Socket taken = silent.accept()) {
            Objects.requireNonNull(taken);
            thread.interrupt();
            Throwable failure = thrown.get(20, TimeUnit.SECONDS);
            assertThat(failure).isInstanceOf(StoreException.class);
            assertThat(flag.get(20, TimeUnit.SECONDS)).as("flag").isTrue();
            assertThat(((StoreException) failure).isTransient()).isTrue();
            return (StoreException) failure;
        }
    }
}
