package io.tenure.tool;

import io.tenure.tool.demo.Backend;
import io.tenure.tool.demo.Contender;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** One of the demo's processes; started by the demo only. */
@Command(name = "contender", hidden = true, description = "One of the demo's processes; started by the demo only.")
final class ContenderCommand implements Callable<Integer> {
    @Parameters(index = "0", converter = Backends.class)
    private Backend backend;

    @Parameters(index = "1")
    private String id;

    @Parameters(index = "2")
    private String role;

    /** For picocli. */
    @SuppressWarnings("NullAway.Init")
    ContenderCommand() {}

    @Override
    public Integer call() throws IOException {
        return Contender.run(backend, id, role, System.in, System.out);
    }
}
