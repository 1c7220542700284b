package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Java runtimes and class paths that lack something, each in a process of its own. */
class LettuceRuntimeTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    /** What such a process runs. */
    static final class Connecting {
        private Connecting() {}

        public static void main(String[] args) {
            System.out.println(
                    "jdk.net " + ModuleLayer.boot().findModule("jdk.net").isPresent());
            try (RedisLeaseStore store = RedisLeaseStore.connect(args[0])) {
                System.out.println(
                        store.find("job").toCompletableFuture().join().isEmpty() ? "connected" : "there is a lease");
            } catch (IllegalStateException e) {
                System.out.println(e);
            }
        }
    }

    @Test
    void a_runtime_without_the_sockets_of_the_jdk_connects_all_the_same() throws Exception {
        String said = run(entry -> true, "--limit-modules", "java.base,java.logging,java.management,jdk.unsupported");

        assertThat(said).contains("jdk.net false", "connected");
    }

    @Test
    void law27_a_client_that_is_missing_or_incomplete_is_named_with_what_to_add() throws Exception {
        for (String missing : List.of("lettuce-core", "netty-common", "reactor-core")) {
            String said = run(entry -> !entry.contains(missing));

            assertThat(said)
                    .as("without " + missing)
                    .contains("IllegalStateException", "io.lettuce:lettuce-core", "--add-modules ALL-MODULE-PATH")
                    .doesNotContain("Exception in thread");
        }
    }

    /** The output of that program with those entries of this process's class path that are {@code kept}. */
    private static String run(Predicate<String> kept, String... flags) throws IOException, InterruptedException {
        List<String> path = Stream.of("jdk.module.path", "java.class.path", "surefire.test.class.path")
                .flatMap(property ->
                        Arrays.stream(System.getProperty(property, "").split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty() && kept.test(entry))
                .distinct()
                .toList();
        String file = Connecting.class.getName().replace('.', '/') + ".class";
        String url = LettuceRuntimeTest.class.getResource("/" + file).getPath();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-cp",
                url.substring(0, url.length() - file.length())
                        + File.pathSeparator
                        + String.join(File.pathSeparator, path),
                Connecting.class.getName(),
                redis.uri() + "?timeout=20s"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
