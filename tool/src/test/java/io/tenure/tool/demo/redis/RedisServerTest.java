package io.tenure.tool.demo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisServerTest {
    private static final RedisServer.Candidate NOT_A_PROGRAM = new RedisServer.Candidate("a text", directory -> {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        assertThat(text.toFile().setExecutable(true)).isTrue();
        return text.toString();
    });
    private static final RedisServer.Candidate GIVES_UP =
            new RedisServer.Candidate("the one that gives up", directory -> {
                Path script =
                        Files.writeString(directory.resolve("script"), "#!/bin/sh\necho no such library\nexit 1\n");
                assertThat(script.toFile().setExecutable(true)).isTrue();
                return script.toString();
            });
    private static final RedisServer.Candidate NOT_THERE = new RedisServer.Candidate("the missing one", directory -> {
        throw new IOException("not for this system");
    });

    private static final Names NAMES = Names.of("tenure-demo-test");

    private Cleanup cleanup;

    @BeforeEach
    void open() throws IOException {
        cleanup = Cleanup.open(() -> {}, () -> {});
    }

    @AfterEach
    void close() {
        cleanup.close();
    }

    @Test
    void the_first_program_that_runs_is_used() throws Exception {
        Server bundled =
                RedisServer.start(List.of(NOT_THERE, NOT_A_PROGRAM, GIVES_UP, RedisServer.CANDIDATES.get(0)), cleanup);
        assertThat(bundled.origin()).isEqualTo(RedisServer.CANDIDATES.get(0).origin());
        assertThat(bundled.isGiven()).isFalse();
        try (Probe probe = RedisProbe.connect(bundled, NAMES)) {
            assertThat(probe.version()).matches("Redis \\d+\\.\\d+\\.\\d+");
        }
    }

    @Test
    void the_server_is_gone_with_its_folder_once_the_demo_is_cleaned_up() throws Exception {
        Server server = RedisServer.start(RedisServer.CANDIDATES, cleanup);
        cleanup.close();
        int port = URI.create(server.url()).getPort();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
        assertThat(cleanup.directory()).doesNotExist();
    }

    @Test
    void without_any_program_one_sentence_tells_why_and_what_to_do() {
        assertThatThrownBy(() -> RedisServer.start(List.of(NOT_THERE, NOT_A_PROGRAM, GIVES_UP), cleanup))
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll(
                        "the missing one: not for this system",
                        "a text: ",
                        "no such library",
                        "install redis-server",
                        "TENURE_URL=")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_given_server_that_does_not_answer_is_told_without_its_password() throws Exception {
        Server silent = Server.given("redis://user:secret@127.0.0.1:" + freePort());
        assertThatThrownBy(() -> RedisProbe.connect(silent, NAMES).close())
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("TENURE_URL", "refused")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void a_variable_that_is_no_address_is_not_repeated() {
        assertThatThrownBy(() -> new RedisBackend().given("user:secret@here"))
                .isInstanceOf(StepFailed.class)
                .hasMessageContaining("TENURE_URL")
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://somewhere:5432/database?user=me, --store postgres",
        "jdbc:h2:tcp://somewhere/database, --store h2"
    })
    void an_address_of_another_store_is_told_with_the_option_for_it(String url, String option) {
        assertThatThrownBy(() -> new RedisBackend().given(url))
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("TENURE_URL", "redis://localhost:6379", option)
                .message()
                .doesNotContain("somewhere");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
