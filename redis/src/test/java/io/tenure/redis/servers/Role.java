package io.tenure.redis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What a process is told when it starts. */
interface Role {
    /** The arguments of the program; asked for at every start. */
    List<String> arguments(int port, Path folder) throws IOException;

    /** A server that keeps nothing, unless the settings say so; they are as on a command line, the last one counts. */
    static Role server(List<String> settings) {
        return (port, folder) -> {
            List<String> all = new ArrayList<>(List.of(
                    "--port", "" + port, "--bind", RedisProcess.HOST, "--dir", folder.toString(), "--save", ""));
            if (ServerBinary.chosen().isAtLeast(7, 0)) {
                // Older ones allow it to everybody.
                all.addAll(List.of("--enable-debug-command", "local"));
            }
            all.addAll(settings);
            return all;
        };
    }

    /** A sentinel; it writes into its file what it learns, and knows that when it is started again. */
    static Role sentinel(List<String> lines) {
        return (port, folder) -> {
            Path file = folder.resolve("sentinel.conf");
            if (!Files.exists(file)) {
                List<String> all =
                        new ArrayList<>(List.of("port " + port, "bind " + RedisProcess.HOST, "dir " + folder));
                all.addAll(lines);
                Files.write(file, all, StandardOpenOption.CREATE_NEW);
            }
            return List.of(file.toString(), "--sentinel");
        };
    }
}
