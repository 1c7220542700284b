package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private static final String ESCAPE = "\u001b[";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String print(Screen screen) {
        screen.act("1. Election", "All stand.");
        screen.seen(System.nanoTime(), "A", "leads");
        screen.verdict(Report.Verdict.FAILED, "It holds", "it did not");
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_plain_screen_has_no_escape_codes_and_says_the_same() {
        String plain = print(Screen.plain(out));
        assertThat(plain).doesNotContain(ESCAPE).contains("A  leads", "FAILED", "it did not");
        bytes.reset();
        String coloured = print(Screen.coloured(out));
        assertThat(coloured).contains(ESCAPE);
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).hasSameSizeAs(plain);
    }

    @Test
    void a_muted_screen_prints_nothing() {
        Screen screen = Screen.plain(out);
        screen.mute();
        assertThat(print(screen)).isEmpty();
    }
}
