package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private final ProcessBuilder sleeper = new ProcessBuilder("sleep", "1000");

    @Test
    void closing_kills_even_a_stopped_process_and_removes_the_folder() throws Exception {
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        Files.writeString(cleanup.directory().resolve("file"), "");
        Process process = cleanup.start(sleeper);
        assertThat(new ProcessBuilder("sh", "-c", "kill -STOP " + process.pid())
                        .start()
                        .waitFor())
                .isZero();
        cleanup.close();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(cleanup.directory()).doesNotExist();
    }

    @Test
    void what_is_to_be_done_last_is_done_once_and_when_the_processes_are_dead() throws Exception {
        List<Boolean> alive = new ArrayList<>();
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        Process process = cleanup.start(sleeper);
        cleanup.afterwards(() -> alive.add(process.isAlive()));
        cleanup.close();
        cleanup.close();
        assertThat(alive).containsExactly(false);
    }

    @Test
    void what_was_begun_last_is_ended_first() throws Exception {
        List<String> ended = new ArrayList<>();
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        cleanup.afterwards(() -> ended.add("server"));
        cleanup.afterwards(() -> ended.add("client"));
        cleanup.close();
        assertThat(ended).containsExactly("client", "server");
    }

    @Test
    void nothing_is_started_any_more_once_the_end_has_begun() throws Exception {
        Cleanup cleanup = Cleanup.open(() -> {}, () -> {});
        cleanup.close();
        assertThatThrownBy(() -> cleanup.start(sleeper)).isInstanceOf(IOException.class);
    }
}
