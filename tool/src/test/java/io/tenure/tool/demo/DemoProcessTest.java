package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.tool.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo as a user meets it: a process of its own. */
@Timeout(120)
class DemoProcessTest {
    @TempDir
    private Path temporary;

    private final List<String> said = new ArrayList<>();
    private final List<ProcessHandle> children = new ArrayList<>();
    private Process demo;
    private BufferedReader lines;

    private void start(String... variables) throws IOException {
        List<String> command = new ArrayList<>(undeaf());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("TENURE_REDIS");
        for (int i = 0; i < variables.length; i += 2) {
            builder.environment().put(variables[i], variables[i + 1]);
        }
        demo = builder.redirectErrorStream(true).start();
        lines = new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8));
    }

    /** What makes a process hear Ctrl-C although whoever started this one in the background had it ignored. */
    private static List<String> undeaf() throws IOException {
        List<String> reset = List.of("env", "--default-signal=INT");
        List<String> probe = new ArrayList<>(reset);
        probe.add("true");
        Process tried = new ProcessBuilder(probe).redirectErrorStream(true).start();
        return tried.onExit().join().exitValue() == 0 ? reset : List.of();
    }

    @AfterEach
    void end() {
        demo.descendants().forEach(children::add);
        demo.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** Reads on until a line contains {@code text}. */
    private String readTo(String text) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError("no '" + text + "' in: " + String.join("\n", said));
    }

    private int readToEnd() throws Exception {
        lines.lines().forEach(said::add);
        assertThat(demo.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return demo.exitValue();
    }

    private static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137"})
    void a_demo_that_is_ended_while_a_leader_is_stopped_leaves_no_process_and_no_file(String signal, int code)
            throws Exception {
        start();
        readTo("is stopped; its lease expires");
        demo.descendants().forEach(children::add);
        assertThat(children).hasSize(5); // three contenders, the server, the guard

        signal(signal, demo.pid());

        assertThat(readToEnd()).as(String.join("\n", said)).isEqualTo(code);
        await().atMost(Duration.ofSeconds(20)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(temporary).isEmptyDirectory());
        assertThat(said).noneMatch(line -> line.contains("STOPPED HERE"));
    }

    @Test
    void a_step_that_cannot_be_finished_makes_the_exit_code_1_and_says_what_it_waited_for() throws Exception {
        start();
        Matcher victim = Pattern.compile("Processes: A (\\d+)").matcher(readTo("Processes: "));
        assertThat(victim.find()).isTrue();
        signal("KILL", Long.parseLong(victim.group(1)));

        assertThat(readToEnd()).as(String.join("\n", said)).isEqualTo(1);
        assertThat(said)
                .anyMatch(line -> line.startsWith("STOPPED HERE. Waiting for ") && line.contains("A said: gone"))
                .anyMatch(line -> line.contains("NOT SEEN"));
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void on_a_server_with_a_password_every_claim_holds_and_neither_a_key_nor_the_password_is_left_behind()
            throws Exception {
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        Server server = Server.start(List.of(Server.CANDIDATES.get(0)), cleanup);
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configSet("requirepass", "only-for-this-test");
            start("TENURE_REDIS", server.uri().replace("//", "//:only-for-this-test@"));

            assertThat(readToEnd()).as(String.join("\n", said)).isZero();

            assertThat(connection.sync().keys("*")).isEmpty();
        } finally {
            client.shutdown();
            cleanup.close();
        }
        assertThat(said)
                .anyMatch(line -> line.contains("given by TENURE_REDIS"))
                .anyMatch(line -> line.contains("no former leader can do harm"))
                .noneMatch(line -> line.contains("only-for-this-test"))
                .noneMatch(line -> line.contains("\u001b["));
        assertThat(temporary).isEmptyDirectory();
    }
}
