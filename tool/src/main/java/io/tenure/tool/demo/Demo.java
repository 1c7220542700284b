package io.tenure.tool.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sets the stage, plays the steps, and reports. */
public final class Demo {
    private static final List<String> IDS = List.of("A", "B", "C");
    private static final Duration START = Duration.ofSeconds(30);
    /** How soon after a Ctrl-C at the latest the demo knows of it; its processes got it too. */
    private static final Duration CTRL_C = Duration.ofMillis(300);

    private static final int LAST_HEARD = 12;

    private final Backend backend;
    private final Screen screen;
    private final Report report;
    private final Inbox inbox = new Inbox();

    private Demo(Backend backend, Screen screen) {
        this.backend = backend;
        this.screen = screen;
        this.report = new Report(backend.pace());
    }

    /**
     * Plays the demo.
     *
     * @param backend what to play it on
     * @param given the URL of a server to use; null for one of its own
     * @param coloured whether {@code out} shows colours
     * @return the exit code: 0 only when everything was checked and held
     */
    public static int run(Backend backend, @Nullable String given, PrintStream out, PrintStream err, boolean coloured)
            throws InterruptedException {
        Screen screen = coloured ? Screen.coloured(out) : Screen.plain(out);
        return new Demo(backend, screen).run(given == null || given.isBlank() ? null : given, err);
    }

    private int run(@Nullable String given, PrintStream err) throws InterruptedException {
        try (Cleanup cleanup = Cleanup.open(
                screen::mute, () -> err.println("Interrupted: the demo's processes, files and data are removed."))) {
            try {
                Server server = given == null ? backend.start(cleanup) : backend.given(given);
                return run(server, cleanup, err);
            } catch (StepFailed | IOException e) {
                if (!cleanup.isInterrupted(CTRL_C)) {
                    err.println(e.getMessage());
                }
                return 1;
            }
        } catch (IOException e) {
            err.println("The demo cannot start: " + e.getMessage());
            return 1;
        }
    }

    private int run(Server server, Cleanup cleanup, PrintStream err)
            throws StepFailed, IOException, InterruptedException {
        Names names = Names.random();
        Probe probe = backend.probe(server, names);
        cleanup.afterwards(() -> leave(server, probe, names, err));
        screen.text("Three processes stand for one election on a real " + backend.product() + ". A lease lasts "
                + Contender.TTL.toSeconds() + " s unless renewed.");
        if (backend.pace() == Pace.POLLED) {
            screen.text("This store tells nobody of a release: whoever waits looks every "
                    + backend.pace().lockLooks().toMillis() + " ms.");
        }
        String version = cleanup.whileOpen(() -> {
            probe.prepare();
            return probe.version();
        });
        Map<String, ContenderProcess> cast = new LinkedHashMap<>();
        try {
            for (String id : IDS) {
                cast.put(id, ContenderProcess.start(id, backend, server.url(), names, cleanup, inbox));
            }
            screen.text(version + ", " + server.origin() + ". Processes: "
                    + cast.values().stream()
                            .map(one -> one.id() + " " + one.pid())
                            .collect(Collectors.joining(", ")) + ".");
            play(new Stage(cast, inbox, backend, probe, names, screen, report));
        } catch (StepFailed e) {
            if (cleanup.isInterrupted(CTRL_C)) {
                return 1;
            }
            screen.text("");
            screen.text("STOPPED HERE. " + e.getMessage());
            screen.text("Heard last:");
            List<Line> lines = inbox.since(0);
            lines.subList(Math.max(0, lines.size() - LAST_HEARD), lines.size())
                    .forEach(line -> screen.seen(line.at(), line.from(), line.text()));
        }
        report.print(screen);
        return report.exitCode();
    }

    private void play(Stage stage) throws StepFailed, InterruptedException {
        for (String id : IDS) {
            inbox.await(id + " to be ready", 0, START, line -> line.is(id, "ready"));
        }
        screen.begin();
        new Election(stage).play();
        new LockHandover(stage).play();
        for (ContenderProcess contender : stage.cast().values()) {
            if (contender.isAlive()) {
                int code = contender.quit();
                report.check(Claim.TIDY, code == 0, contender.id() + " ended with exit code " + code);
            }
        }
        for (String name : List.of(stage.names().role(), stage.names().lock())) {
            Sighting left = stage.probe().lease(name);
            report.check(Claim.TIDY, !left.isHeld(), "there is still one of " + name + " for " + left.left() + " ms");
        }
    }

    /** A server of ours is gone by now, with all that was in it. */
    private static void leave(Server server, Probe probe, Names names, PrintStream err) {
        try (probe) {
            if (server.isGiven()) {
                probe.delete();
            }
        } catch (StepFailed e) {
            err.println("What is named " + names.role() + "* could not be deleted. " + e.getMessage());
        }
    }
}
