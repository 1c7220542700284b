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
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application with either client alone, with both, and with neither, on class path and module path: it can look at every
 * exported class as frameworks do, but at the entrance of the client that is absent, whose signatures name it; the client
 * that is there works; the other is told to be missing.
 */
class OptionalClientsTest {
    private static final String LETTUCE = "io.tenure.redis.LettuceStores";
    private static final String JEDIS = "io.tenure.redis.JedisStores";
    /** The file names of what each client brings along, by their beginnings. */
    private static final List<String> LETTUCE_JARS =
            List.of("lettuce-core-", "netty-", "reactor-core-", "reactive-streams-", "redis-authx-core-", "slf4j-api-");

    private static final List<String> JEDIS_JARS =
            List.of("jedis-", "commons-pool2-", "json-", "gson-", "redis-authx-core-", "slf4j-api-");

    private static final String MAIN = """
            package app;

            import io.tenure.Tenure;
            import io.tenure.redis.*;
            import java.beans.Introspector;
            import java.util.List;

            final class Main {
              public static void main(String[] args) {
                for (String name : List.of(args).subList(1, args.length)) {
                  try {
                    Class<?> type = Class.forName(name);
                    type.getMethods();
                    type.getDeclaredMethods();
                    type.getDeclaredConstructors();
                    type.getDeclaredFields();
                    Introspector.getBeanInfo(type);
                    System.out.println("SEEN " + name);
                  } catch (LinkageError | Exception e) {
                    System.out.println("UNSEEN " + name + " " + e.getClass().getSimpleName());
                  }
                }
                int port = Integer.parseInt(args[0]);
                try (Tenure tenure = Tenure.over(RedisLeaseStore.connect("redis://127.0.0.1:" + port + "?timeout=20s")).open()) {
                  String done = tenure.lock("job").call(held -> "LETTUCE " + held.name());
                  System.out.println(done);
                } catch (IllegalStateException e) {
                  System.out.println(e);
                }
                try {
                  UseOfLettuce.none();
                } catch (IllegalStateException | NullPointerException e) {
                  System.out.println(e);
                }
                try {
                  System.out.println(UseOfJedis.lock(port));
                } catch (NoClassDefFoundError e) {
                  try {
                    JedisStores.port(null);
                  } catch (IllegalStateException told) {
                    System.out.println(told);
                  }
                }
                System.out.println("END");
              }
            }
            """;

    private static final String USE_OF_LETTUCE = """
            package app;

            import io.lettuce.core.RedisClient;
            import io.tenure.redis.LettuceStores;

            final class UseOfLettuce {
              static void none() {
                LettuceStores.port((RedisClient) null);
              }
            }
            """;

    private static final String USE_OF_JEDIS = """
            package app;

            import io.tenure.Tenure;
            import io.tenure.redis.JedisStores;
            import redis.clients.jedis.RedisClient;

            final class UseOfJedis {
              static String lock(int port) {
                try (RedisClient client = RedisClient.create("127.0.0.1", port);
                    Tenure tenure = Tenure.over(JedisStores.of(client)).open()) {
                  return tenure.lock("job").call(held -> "JEDIS " + held.name());
                }
              }
            }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void compileIt() throws Exception {
        Path module = Files.writeString(
                folder.resolve("module-info.java"),
                "module app { requires io.tenure; requires io.tenure.redis; requires java.desktop;"
                        + " requires static redis.clients.jedis; requires static lettuce.core; }");
        Path sources = Files.createDirectories(folder.resolve("app"));
        List<Path> files = List.of(
                module,
                Files.writeString(sources.resolve("Main.java"), MAIN),
                Files.writeString(sources.resolve("UseOfLettuce.java"), USE_OF_LETTUCE),
                Files.writeString(sources.resolve("UseOfJedis.java"), USE_OF_JEDIS));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "--module-path",
                    path(ours(), both()),
                    "-d",
                    folder.resolve("out").toString());
            assertThat(compiler.getTask(said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                            .call())
                    .as(said.toString())
                    .isTrue();
        }
    }

    @Test
    void with_lettuce_alone_all_but_the_entrance_for_jedis_can_be_looked_at_and_is_told() throws Exception {
        for (String said : run(jars(LETTUCE_JARS))) {
            assertThat(unseen(said)).containsExactly("UNSEEN " + JEDIS + " NoClassDefFoundError");
            assertThat(said).contains("LETTUCE job", "IllegalStateException: JedisStores", "add redis.clients:jedis");
        }
    }

    @Test
    void with_jedis_alone_all_but_the_entrance_for_lettuce_can_be_looked_at_and_is_told() throws Exception {
        for (String said : run(jars(JEDIS_JARS))) {
            assertThat(unseen(said)).containsExactly("UNSEEN " + LETTUCE + " NoClassDefFoundError");
            assertThat(said)
                    .contains(
                            "JEDIS job",
                            "IllegalStateException: RedisLeaseStore.connect",
                            "IllegalStateException: LettuceStores needs",
                            "lettuce-core");
        }
    }

    @Test
    void with_both_everything_can_be_looked_at_and_both_work() throws Exception {
        for (String said : run(both())) {
            assertThat(unseen(said)).isEmpty();
            assertThat(said).contains("LETTUCE job", "JEDIS job", "NullPointerException: client");
        }
    }

    @Test
    void with_neither_all_but_the_two_entrances_can_be_looked_at_and_both_are_told() throws Exception {
        for (String said : run(List.of())) {
            assertThat(unseen(said))
                    .containsExactlyInAnyOrder(
                            "UNSEEN " + JEDIS + " NoClassDefFoundError", "UNSEEN " + LETTUCE + " NoClassDefFoundError");
            assertThat(said)
                    .contains(
                            "add redis.clients:jedis",
                            "IllegalStateException: LettuceStores needs",
                            "add io.lettuce:lettuce-core");
        }
    }

    private static List<String> unseen(String said) {
        return said.lines().filter(line -> line.startsWith("UNSEEN")).toList();
    }

    /** What the application says, once on the class path and once on the module path. */
    private List<String> run(List<String> client) throws Exception {
        List<String> exported = exported();
        assertThat(exported).contains(LETTUCE, JEDIS).hasSizeGreaterThan(10);
        List<String> said = new ArrayList<>();
        Path data = folder.resolve("server");
        if (Files.notExists(data)) {
            Files.createDirectory(data);
        }
        try (LocalRedis server = LocalRedis.in(data)) {
            List<String> all = new ArrayList<>(ours());
            all.add(folder.resolve("out").toString());
            List<List<String>> starts = List.of(
                    List.of("-cp", path(all, client), "app.Main"),
                    List.of("--add-modules", "ALL-MODULE-PATH", "-p", path(all, client), "-m", "app/app.Main"));
            for (List<String> start : starts) {
                List<String> arguments = new ArrayList<>(start);
                arguments.add("" + server.port());
                arguments.addAll(exported);
                String text = java(arguments);
                assertThat(text).contains("SEEN io.tenure.redis.RedisLeaseStore", "END");
                said.add(text);
            }
        }
        return said;
    }

    /** The public types of the packages that the module exports, and those inside them. */
    private static List<String> exported() throws Exception {
        Path classes = SourceTree.classesOf("redis");
        try (Stream<Path> files = Files.list(classes.resolve("io/tenure/redis"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.startsWith("package-info"))
                    .map(file -> "io.tenure.redis." + file.substring(0, file.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
    }

    private static String java(List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> ours() {
        return List.of(
                SourceTree.classesOf("core").toString(),
                SourceTree.classesOf("redis").toString());
    }

    private static List<String> both() {
        return Stream.concat(jars(LETTUCE_JARS).stream(), jars(JEDIS_JARS).stream())
                .distinct()
                .toList();
    }

    private static List<String> jars(List<String> beginnings) {
        List<String> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> beginnings.stream()
                        .anyMatch(
                                start -> Path.of(entry).getFileName().toString().startsWith(start)))
                .toList();
        assertThat(jars).hasSizeGreaterThanOrEqualTo(beginnings.size());
        return jars;
    }

    private static String path(List<String> first, List<String> then) {
        return String.join(
                File.pathSeparator, Stream.concat(first.stream(), then.stream()).toList());
    }
}
