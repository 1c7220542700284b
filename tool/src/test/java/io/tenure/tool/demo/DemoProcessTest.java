package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.tool.demo.redis.RedisBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo on Redis, as a process of its own. */
@Timeout(120)
class DemoProcessTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "KILL, 137"})
    void a_demo_that_is_ended_while_a_leader_is_stopped_leaves_no_process_and_no_file(String signal, int code)
            throws Exception {
        try (DemoProcess demo = DemoProcess.start(temporary, Map.of())) {
            demo.readTo("is stopped; its lease expires");
            assertThat(demo.children()).hasSize(5); // three contenders, the server, the guard

            DemoProcess.signal(signal, demo.pid());

            assertThat(demo.readToEnd()).as("%s", demo).isEqualTo(code);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> demo.children().stream().noneMatch(ProcessHandle::isAlive));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(temporary).isEmptyDirectory());
            assertThat(demo.said).noneMatch(line -> line.contains("STOPPED HERE"));
        }
    }

    @Test
    void a_step_that_cannot_be_finished_makes_the_exit_code_1_and_says_what_it_waited_for() throws Exception {
        try (DemoProcess demo = DemoProcess.start(temporary, Map.of())) {
            Matcher victim = Pattern.compile("Processes: A (\\d+)").matcher(demo.readTo("Processes: "));
            assertThat(victim.find()).isTrue();
            DemoProcess.signal("KILL", Long.parseLong(victim.group(1)));

            assertThat(demo.readToEnd()).as("%s", demo).isEqualTo(1);
            assertThat(demo.said)
                    .anyMatch(line -> line.startsWith("STOPPED HERE. Waiting for ") && line.contains("A said: gone"))
                    .anyMatch(line -> line.contains("NOT SEEN"));
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void on_a_server_with_a_password_every_claim_holds_and_neither_a_key_nor_the_password_is_left_behind()
            throws Exception {
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        Server server = new RedisBackend().start(cleanup);
        RedisClient client = RedisClient.create(server.url());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configSet("requirepass", "only-for-this-test");
            String url = server.url().replace("//", "//:only-for-this-test@");
            try (DemoProcess demo = DemoProcess.start(temporary, Map.of(Server.VARIABLE, url))) {
                assertThat(demo.readToEnd()).as("%s", demo).isZero();

                assertThat(connection.sync().keys("*")).isEmpty();
                assertThat(demo.said)
                        .anyMatch(line -> line.contains("given by TENURE_URL"))
                        .anyMatch(line -> line.contains("no former leader can do harm"))
                        .noneMatch(line -> line.contains("only-for-this-test"))
                        .noneMatch(line -> line.contains("\u001b["));
            }
        } finally {
            client.shutdown();
            cleanup.close();
        }
        assertThat(temporary).isEmptyDirectory();
    }
}
