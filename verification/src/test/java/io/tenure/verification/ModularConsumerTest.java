package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module of its own: nothing optional is forced on it, and it runs as the README says. */
class ModularConsumerTest {
    /** The file names of what Lettuce brings along, by their beginnings. */
    private static final List<String> CLIENT =
            List.of("lettuce-core-", "netty-", "reactor-core-", "reactive-streams-", "redis-authx-core-", "slf4j-api-");

    @TempDir
    private Path folder;

    @BeforeEach
    void compileIt() throws Exception {
        Path module = Files.writeString(
                folder.resolve("module-info.java"), "module app { requires io.tenure; requires io.tenure.redis; }");
        Path main = Files.createDirectories(folder.resolve("app")).resolve("Main.java");
        Files.writeString(main, """
                package app;

                import io.tenure.Tenure;
                import io.tenure.redis.RedisLeaseStore;

                final class Main {
                  private Main() {}

                  public static void main(String[] args) {
                    System.out.println("jdk.net " + ModuleLayer.boot().findModule("jdk.net").isPresent());
                    RedisLeaseStore redis = RedisLeaseStore.connect(args[0]);
                    try (Tenure tenure = Tenure.over(redis).open()) {
                      String done = tenure.lock("job").call(held -> "done under " + held.token());
                      System.out.println(done);
                    }
                  }
                }
                """);
        // Warnings are errors: neither annotations nor a client that it does not name may be missed.
        assertThat(compile(List.of(module, main))).isEmpty();
    }

    @Test
    void a_modular_application_works_with_a_real_server_with_the_flag_that_is_documented() throws Exception {
        assertThat(Files.readString(SourceTree.root().resolve("README.md"))).contains("--add-modules ALL-MODULE-PATH");
        try (LocalRedis server = LocalRedis.in(Files.createDirectory(folder.resolve("server")))) {
            assertThat(run("redis://127.0.0.1:" + server.port() + "?timeout=20s", "--add-modules", "ALL-MODULE-PATH"))
                    .contains("jdk.net true", "done under ")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void without_the_flag_it_is_told_which_one_it_lacks() throws Exception {
        for (List<String> flags : List.of(List.<String>of(), List.of("--add-modules", "lettuce.core"))) {
            assertThat(run("redis://127.0.0.1:1", flags.toArray(String[]::new)))
                    .contains("IllegalStateException", "start Java with --add-modules ALL-MODULE-PATH");
        }
    }

    /** What the application prints, started on the module path of ours, its own classes and the client. */
    private String run(String uri, String... flags) throws Exception {
        List<String> path =
                new ArrayList<>(List.of(modules(), folder.resolve("out").toString()));
        List<String> client = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> CLIENT.stream()
                        .anyMatch(
                                name -> Path.of(entry).getFileName().toString().startsWith(name)))
                .toList();
        assertThat(client).hasSizeGreaterThan(CLIENT.size());
        path.addAll(client);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-p", String.join(File.pathSeparator, path), "-m", "app/app.Main", uri));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String modules() {
        return SourceTree.classesOf("core") + File.pathSeparator + SourceTree.classesOf("redis");
    }

    private String compile(List<Path> sources) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-Xlint:all",
                    "-Werror",
                    "--module-path",
                    modules(),
                    "-d",
                    folder.resolve("out").toString());
            boolean compiled = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
        return said.toString();
    }
}
