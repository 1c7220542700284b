package io.tenure.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.redis.servers.RawConnection.ErrorReply;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RedisProcessTest {

    @Test
    void a_server_that_saves_knows_its_keys_after_a_kill_on_the_same_port() {
        try (RedisProcess server = RedisProcess.of("--appendonly", "yes", "--appendfsync", "always")) {
            server.start();
            int port = server.port();
            long pid = server.pid();
            assertThat(server.cli("SET", "k", "Wert ä")).isEqualTo("OK");

            server.restart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.cli("GET", "k")).isEqualTo("Wert ä");
            assertThat(server.info("aof_enabled")).isEqualTo("1");
        }
    }

    @Test
    void a_paused_server_takes_connections_and_answers_none_until_it_is_resumed() {
        try (RedisProcess server = RedisProcess.of()) {
            server.start();
            server.pause();
            try (RawConnection connection = RawConnection.to(server.port(), Duration.ofMillis(200))) {
                assertThatThrownBy(() -> connection.call("PING")).hasCauseInstanceOf(SocketTimeoutException.class);
            }

            server.resume();

            assertThat(server.cli("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void a_launched_server_answers_that_it_loads() {
        // It looks at its clients every two megabytes: ten times, with half a second in between.
        try (RedisProcess server = RedisProcess.of("--rdbcompression", "no", "--key-load-delay", "200")) {
            server.start();
            server.cli("DEBUG", "POPULATE", "20000", "k", "1000");
            server.cli("SAVE");
            server.stop();

            server.launch();

            assertThatThrownBy(() -> server.cli("GET", "k1"))
                    .isInstanceOf(ErrorReply.class)
                    .hasMessageStartingWith("LOADING");
        }
    }

    @Test
    void a_closed_server_leaves_no_process_and_no_folder() {
        RedisProcess server = RedisProcess.of();
        server.start();
        long pid = server.pid();

        server.close();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(server.folder()).doesNotExist();
        assertThatThrownBy(() -> RawConnection.to(server.port())).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void a_server_that_ends_at_once_is_told_with_its_log() {
        try (RedisProcess server = RedisProcess.of("--no-such-setting", "1")) {
            assertThatThrownBy(server::start).hasStackTraceContaining("no-such-setting");
        }
    }

    @Test
    void the_program_knows_its_version() {
        try (RedisProcess server = RedisProcess.of()) {
            server.start();
            String[] redis = server.info("redis_version").split("\\.", -1);
            int major = Integer.parseInt(redis[0]);
            int minor = Integer.parseInt(redis[1]);

            assertThat(ServerBinary.chosen().isAtLeast(major, minor)).isTrue();
            assertThat(ServerBinary.chosen().isAtLeast(major, minor + 1)).isFalse();
            assertThat(ServerBinary.chosen().isAtLeast(major + 1, 0)).isFalse();
            assertThat(ServerBinary.chosen().isValkey())
                    .isEqualTo(!server.info("valkey_version").isEmpty());
        }
    }
}
