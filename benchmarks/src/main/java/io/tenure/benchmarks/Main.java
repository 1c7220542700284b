package io.tenure.benchmarks;

import io.tenure.benchmarks.sql.SqlArena;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the scenarios, and prints and writes what came out. */
@Command(
        name = "benchmarks/run",
        description = "What leases and fences cost, beside the bare statements and other libraries.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Main implements Callable<Integer> {
    private static final int WARM_ROUNDS = 3;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--only", defaultValue = "", description = "Only scenarios whose names contain this.")
    private String only;

    @Option(names = "--rounds", defaultValue = "60", description = "Turns of each subject (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--slice", defaultValue = "200", description = "Length of a turn in ms (${DEFAULT-VALUE}).")
    private int slice;

    @Option(names = "--commit", defaultValue = "on", description = "synchronous_commit of PostgreSQL: on or off.")
    private String commit;

    @Option(
            names = "--data",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where servers keep their data; to be a disk, not memory (${DEFAULT-VALUE}).")
    private Path data;

    @Option(names = "--out", defaultValue = "results.csv", description = "The file of results (${DEFAULT-VALUE}).")
    private Path out;

    /** For picocli. */
    @SuppressWarnings("NullAway.Init")
    Main() {}

    /** Runs the command line {@code args} and exits: 0 when all was measured, whether targets were met or not. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main());
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter screen = spec.commandLine().getOut();
        Harness harness = new Harness(WARM_ROUNDS, rounds, Duration.ofMillis(slice));
        Results results = new Results();
        try (Arena arena = SqlArena.open(data, commit)) {
            screen.printf(
                    "%s; Java %s, %d processors; %d rounds of %d ms after %d warm ones%n",
                    arena.about(),
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors(),
                    rounds,
                    slice,
                    WARM_ROUNDS);
            List<Scenario> chosen = arena.scenarios().stream()
                    .filter(scenario -> scenario.name().contains(only))
                    .toList();
            for (Scenario scenario : chosen) {
                results.add(harness.run(scenario));
                screen.print(results.table(scenario));
                screen.flush();
            }
        }
        results.write(out);
        screen.printf("%nall figures: %s%n", out);
        screen.flush();
        return 0;
    }
}
