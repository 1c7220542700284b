package io.tenure.tool.demo;

import java.io.PrintStream;
import java.util.Locale;

/** What the demo prints: acts, and under them a running time line. Only to be muted by another thread. */
final class Screen {
    private enum Style {
        BOLD("1"),
        DIM("2"),
        GREEN("32"),
        RED("1;31");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    private final PrintStream out;
    private final boolean coloured;
    private long start = System.nanoTime();
    private volatile boolean muted;

    private Screen(PrintStream out, boolean coloured) {
        this.out = out;
        this.coloured = coloured;
    }

    static Screen plain(PrintStream out) {
        return new Screen(out, false);
    }

    /** For a terminal that shows colours. */
    static Screen coloured(PrintStream out) {
        return new Screen(out, true);
    }

    /** Lets the time line begin now. */
    void begin() {
        start = System.nanoTime();
    }

    /** Prints nothing from now on. */
    void mute() {
        muted = true;
    }

    /** Begins a part. */
    void act(String title, String why) {
        print(styled(Style.BOLD, title) + "  " + styled(Style.DIM, why));
    }

    /** Something that was seen at {@code at}, by the monotonic clock, of {@code who}. */
    void seen(long at, String who, String what) {
        String time = String.format(Locale.ROOT, "%6.2f s", (at - start) / 1e9);
        print(styled(Style.DIM, time) + "  " + styled(Style.BOLD, who.isEmpty() ? " " : who) + "  " + what);
    }

    /** Something that was seen just now, by the demo itself. */
    void seen(String what) {
        seen(System.nanoTime(), "", what);
    }

    /** A row that tells what was checked, and what was measured on the way. */
    void verdict(Report.Verdict verdict, String what, String measured) {
        Style style = verdict == Report.Verdict.OK ? Style.GREEN : Style.RED;
        String row = "  " + styled(style, String.format(Locale.ROOT, "%-8s", verdict.text()))
                + String.format(Locale.ROOT, "  %-75s  %s", what, measured);
        print(row.stripTrailing());
    }

    /** A line of text. */
    void text(String text) {
        print(text);
    }

    private void print(String line) {
        if (!muted) {
            out.println(line);
            out.flush();
        }
    }

    private String styled(Style style, String text) {
        return coloured ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
    }
}
