package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SingletonServiceTest {
    private static final int SIGTERM = 128 + 15;
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @Test
    void a_stop_signal_ends_the_work_releases_the_lease_and_lets_the_other_process_lead() throws Exception {
        try (Program first = Program.start(SingletonService.class, REDIS.uri())) {
            await().atMost(LONG).until(() -> result("step") >= 2);
            try (Program second = Program.start(SingletonService.class, REDIS.uri())) {
                await().atMost(LONG)
                        .until(() -> second.lines().stream().anyMatch(line -> line.startsWith("Following[")));

                assertThat(first.terminate()).isEqualTo(SIGTERM);

                long token = first.tokens("Elected").findFirst().orElseThrow();
                assertThat(first.lines())
                        .anySatisfy(line ->
                                assertThat(line).startsWith("SteppedDown[").contains("" + token, "INTERRUPTED"))
                        .endsWith("Stopped");
                assertThat(result("stopped")).isEqualTo(token);
                await().atMost(LONG)
                        .until(() -> second.tokens("Elected").findFirst().isPresent());
                assertThat(second.tokens("Elected"))
                        .singleElement()
                        .satisfies(later -> assertThat(later).isGreaterThan(token));

                assertThat(second.terminate()).isEqualTo(SIGTERM);

                // Far sooner than by its ttl: it was released.
                assertThat(REDIS.cli().exists(SingletonService.NAME + ":leader"))
                        .isZero();
            }
        }
    }

    @Test
    void a_stop_signal_while_it_still_connects_stops_it_without_a_failure() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Program starting = Program.start(
                        SingletonService.class, "redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=1h");
                Socket connecting = silent.accept()) {
            assertThat(connecting.isConnected()).isTrue();

            assertThat(starting.terminate()).isEqualTo(SIGTERM);

            assertThat(starting.lines()).containsExactly("Stopped");
        }
    }

    private static long result(String field) {
        String value = REDIS.cli().hget(SingletonService.RESULT, field);
        return value == null ? 0 : Long.parseLong(value);
    }
}
