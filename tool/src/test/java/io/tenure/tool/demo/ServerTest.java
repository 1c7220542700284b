package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class ServerTest {
    private static final Server.Candidate NOT_A_PROGRAM = new Server.Candidate("a text", directory -> {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        assertThat(text.toFile().setExecutable(true)).isTrue();
        return text.toString();
    });
    private static final Server.Candidate GIVES_UP = new Server.Candidate("the one that gives up", directory -> {
        Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\necho no such library\nexit 1\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script.toString();
    });
    private static final Server.Candidate NOT_THERE = new Server.Candidate("the missing one", directory -> {
        throw new IOException("not for this system");
    });

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
        Server bundled = Server.start(List.of(NOT_THERE, NOT_A_PROGRAM, GIVES_UP, Server.CANDIDATES.get(0)), cleanup);
        assertThat(bundled.origin()).isEqualTo(Server.CANDIDATES.get(0).origin());
        assertThat(bundled.isGiven()).isFalse();
        try (Probe probe = Probe.connect(bundled)) {
            assertThat(probe.version()).matches("Redis \\d+\\.\\d+\\.\\d+");
        }
    }

    @Test
    void the_server_is_gone_with_its_folder_once_the_demo_is_cleaned_up() throws Exception {
        Server server = Server.start(Server.CANDIDATES, cleanup);
        cleanup.close();
        int port = URI.create(server.uri()).getPort();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
        assertThat(cleanup.directory()).doesNotExist();
    }

    @Test
    void without_any_program_one_sentence_tells_why_and_what_to_do() {
        assertThatThrownBy(() -> Server.start(List.of(NOT_THERE, NOT_A_PROGRAM, GIVES_UP), cleanup))
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll(
                        "the missing one: not for this system",
                        "a text: ",
                        "no such library",
                        "install redis-server",
                        "TENURE_REDIS=")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_given_server_that_does_not_answer_is_told_without_its_password() throws Exception {
        Server silent = Server.given("redis://user:secret@127.0.0.1:" + freePort());
        assertThatThrownBy(() -> Probe.connect(silent).close())
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("TENURE_REDIS", "refused")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void a_variable_that_is_no_address_is_not_repeated() {
        assertThatThrownBy(() -> Probe.connect(Server.given("user:secret@here")).close())
                .isInstanceOf(StepFailed.class)
                .hasMessageContaining("TENURE_REDIS")
                .message()
                .doesNotContain("secret");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
