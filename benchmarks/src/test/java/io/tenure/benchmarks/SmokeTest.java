package io.tenure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every scenario for a moment, so that none rots; says nothing about speed. */
class SmokeTest {
    @Test
    void every_subject_of_every_scenario_is_measured_and_written_down(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("results.csv");
        StringWriter screen = new StringWriter();

        int code = Main.commandLine()
                .setOut(new PrintWriter(screen))
                .execute("--rounds", "2", "--slice", "20", "--data", folder.toString(), "--out", out.toString());

        assertThat(code).isZero();
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).first().isEqualTo("scenario,subject,metric,round,value,unit");
        assertThat(lines)
                .filteredOn(line -> line.contains(",throughput,1,"))
                .extracting(line -> line.replaceAll("\",throughput,1,[0-9.]+,1/s$", "\""))
                .containsExactlyInAnyOrder(
                        "\"sql: acquire + release, 1 thread\",\"two plain statements\"",
                        "\"sql: acquire + release, 1 thread\",\"Tenure\"",
                        "\"sql: acquire + release, 1 thread\",\"Tenure callsOn(CALLER)\"",
                        "\"sql: acquire + release, 1 thread\",\"ShedLock\"",
                        "\"sql: acquire + release, 1 thread\",\"Spring Integration\"",
                        "\"sql: acquire + release, 8 threads\",\"two plain statements\"",
                        "\"sql: acquire + release, 8 threads\",\"Tenure\"",
                        "\"sql: acquire + release, 8 threads\",\"Tenure callsOn(CALLER)\"",
                        "\"sql: acquire + release, 8 threads\",\"ShedLock\"",
                        "\"sql: acquire + release, 8 threads\",\"Spring Integration\"",
                        "\"sql: guarded update, 1 thread\",\"plain statement\"",
                        "\"sql: guarded update, 1 thread\",\"JdbcFence.guardedUpdate\"",
                        "\"sql: transaction with require, 1 thread\",\"transaction of one statement\"",
                        "\"sql: transaction with require, 1 thread\",\"the same after JdbcFence.require\"");
        assertThat(screen.toString())
                .contains("fsync on, synchronous_commit on", "target: Tenure >= 0.90 x two plain statements");
        assertThat(Files.list(folder)).as("data of servers is deleted").containsExactly(out);
    }
}
