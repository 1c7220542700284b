package io.tenure.tool;

import io.tenure.tool.demo.Backend;
import io.tenure.tool.demo.Demo;
import io.tenure.tool.demo.Server;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the main job, and checks it. */
@Command(
        name = "demo",
        description = {
            "Lets three processes stand for one election on a real server, stops, resumes and kills their leaders,"
                    + " and checks that every takeover is right and every stale write is refused. Takes less than a minute."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footerHeading = "%n",
        footer = {
            "Environment:",
            "  TENURE_URL  a server to use instead of starting one, such as",
            "                redis://host:6379",
            "                jdbc:postgresql://host:5432/database?user=me&password=secret",
            "                jdbc:h2:tcp://host:9092/database;USER=me;PASSWORD=secret",
            "              for the store that is named; all keys or tables that come into",
            "              being have names of their own, and are deleted at the end",
            "  NO_COLOR    no colours",
            "",
            "Exit code:",
            "  0  everything was checked and held",
            "  1  something did not hold or could not be checked, or there is no server",
            "  2  called wrongly, or on a system without signals"
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "redis",
            converter = Backends.class,
            completionCandidates = Backends.Names.class,
            description = "Where leases and fenced writes are: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Backend store;

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    @SuppressWarnings("NullAway.Init")
    DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "The demo stops and resumes processes with signals, which Windows does not have: run it on Linux, macOS or WSL.");
            return 2;
        }
        return Demo.run(store, System.getenv(Server.VARIABLE), System.out, System.err, Ansi.AUTO.enabled());
    }
}
