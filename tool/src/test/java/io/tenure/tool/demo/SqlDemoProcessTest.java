package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.tool.demo.sql.SqlBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo on databases, as a process of its own. */
@Timeout(180)
class SqlDemoProcessTest {
    @TempDir
    private Path temporary;

    @Test
    void on_a_postgres_of_its_own_every_claim_holds_and_neither_the_server_nor_a_file_is_left() throws Exception {
        try (DemoProcess demo = DemoProcess.start(temporary, Map.of(), "--store", "postgres")) {
            demo.readTo("Processes: ");
            ProcessHandle server = postmaster();
            demo.adopt(server);

            assertThat(demo.readToEnd()).as("%s", demo).isZero();

            assertThat(demo.said)
                    .anyMatch(line -> line.startsWith("PostgreSQL ") && line.contains("bundled with the tool"))
                    .anyMatch(line -> line.contains("A lock goes to the process that waits for it, by push"))
                    .anyMatch(line -> line.contains("no former leader can do harm"));
            await().atMost(Duration.ofSeconds(20)).until(() -> !server.isAlive());
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void a_demo_on_postgres_that_is_killed_leaves_no_server_no_process_and_no_file() throws Exception {
        try (DemoProcess demo = DemoProcess.start(temporary, Map.of(), "--store", "postgres")) {
            demo.readTo("Processes: ");
            demo.adopt(postmaster());
            assertThat(demo.children()).hasSize(5); // the server, three contenders, the guard

            DemoProcess.signal("KILL", demo.pid());

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> demo.children().stream().noneMatch(ProcessHandle::isAlive));
        }
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(temporary).isEmptyDirectory());
    }

    @Test
    void on_a_given_h2_with_a_password_every_claim_holds_and_neither_a_table_nor_the_password_is_left_behind()
            throws Exception {
        try (Cleanup cleanup = Cleanup.open(() -> {}, () -> {})) {
            Server server = SqlBackend.h2().start(cleanup);
            String password = server.url().replaceAll(".*PASSWORD=", "");
            try (DemoProcess demo =
                    DemoProcess.start(temporary, Map.of(Server.VARIABLE, server.url()), "--store", "h2")) {
                assertThat(demo.readToEnd()).as("%s", demo).isZero();

                assertThat(demo.said)
                        .anyMatch(line -> line.contains("given by TENURE_URL"))
                        .anyMatch(line -> line.contains("whoever waits looks every 500 ms"))
                        .anyMatch(
                                line -> line.contains("A lock goes to the process that waits for it, at its next look"))
                        .anyMatch(line -> line.contains("no former leader can do harm"))
                        .noneMatch(line -> line.contains(password));
            }
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement();
                    ResultSet tables = statement.executeQuery("SHOW TABLES")) {
                assertThat(tables.next()).isFalse();
            }
        }
        assertThat(temporary).isEmptyDirectory();
    }

    /** The server in the demo's folder, which is no child of the demo's. */
    private ProcessHandle postmaster() throws IOException {
        try (Stream<Path> files = Files.find(temporary, 3, (file, is) -> file.endsWith("postmaster.pid"))) {
            Path file = files.findFirst().orElseThrow();
            long pid = Long.parseLong(Files.readAllLines(file).get(0));
            return ProcessHandle.of(pid).orElseThrow();
        }
    }
}
