package io.tenure.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code tenure} command. Exit code 0: done and checked; 1: it failed; 2: it was called wrongly. */
@Command(
        name = "tenure",
        description = "Leases with fencing tokens: leader election and locks whose stale holders are refused.",
        versionProvider = Main.Version.class,
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, ContenderCommand.class})
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** For picocli. */
    @SuppressWarnings("NullAway.Init")
    Main() {}

    /** Runs the command line {@code args} and exits. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler(Main::explain);
    }

    /** Tells the usage even when there is a suggestion, which is where picocli leaves it out. */
    private static int explain(CommandLine.ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        command.usage(err);
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Properties properties = new Properties();
            try (InputStream in = Main.class.getResourceAsStream("version.properties")) {
                properties.load(in);
            }
            return new String[] {"tenure " + properties.getProperty("version")};
        }
    }
}
