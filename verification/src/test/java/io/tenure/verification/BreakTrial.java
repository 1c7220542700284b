package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes every deliberate mistake in turn, in a copy of its file, and runs the tests of the laws that it breaks: one of
 * each has to fail. Writes down which did. Not a part of the build, {@code .ci/breaks} runs it.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class BreakTrial {
    /** How long all tests of a law may take: a break can make them hang. */
    private static final long PATIENCE_SECONDS = 300;

    private static final long PATIENCE_WITH_ALL_SECONDS = 840;
    /** Tests that fail wait in vain: there are many of them here, so they wait less long. */
    private static final Break IMPATIENCE = new Break(
            "impatience",
            List.of(),
            "testkit/src/main/java/io/tenure/testkit/faces/Patience.java",
            "Waits less long for threads.",
            "Duration.ofSeconds(20)",
            "Duration.ofSeconds(6)");

    private static final List<Break> ALL = Breaks.all();

    @TempDir
    static Path copy;

    /** A tree of links to this checkout, in which one module at a time is a copy. */
    @BeforeAll
    static void plantTree() throws IOException {
        for (String module : SourceTree.modules()) {
            Files.createSymbolicLink(copy.resolve(module), SourceTree.root().resolve(module));
        }
        compile(IMPATIENCE.file(), IMPATIENCE.applied(), copy.resolve("impatient"));
    }

    @AfterAll
    static void fellTree() throws IOException {
        for (String module : SourceTree.modules()) {
            Files.delete(copy.resolve(module));
        }
    }

    /** Else what is caught would say nothing. */
    @ParameterizedTest(name = "without a break, {0}")
    @MethodSource
    void an_unbroken_copy_fails_no_test(String module) throws IOException, InterruptedException {
        assertThat(failing("unbroken-" + module, testsOf(module, List.of()), "law", PATIENCE_WITH_ALL_SECONDS))
                .isEmpty();
    }

    static List<String> an_unbroken_copy_fails_no_test() {
        return List.of("core", "redis", "jdbc");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void a_break_is_caught(Break each) throws IOException, InterruptedException {
        Path module = copy.resolve(each.module());
        Set<String> caught;
        Files.delete(module);
        try {
            compile(each.file(), each.applied(), module.resolve("target/classes"));
            for (String part : List.of("pom.xml", "src")) {
                Files.createSymbolicLink(
                        module.resolve(part),
                        SourceTree.root().resolve(each.module()).resolve(part));
            }
            String prefixes = each.laws().stream().map(Break::prefixOf).collect(Collectors.joining(","));
            caught = failing(each.id(), testsOf(each.module(), each.laws()), prefixes, PATIENCE_SECONDS);
        } finally {
            delete(module);
            Files.createSymbolicLink(module, SourceTree.root().resolve(each.module()));
        }
        Breaks.record(Map.of(each.id(), caught), ALL.stream().map(Break::id).toList());
        assertThat(each.laws())
                .allSatisfy(law -> assertThat(caught)
                        .as("tests of law %d that fail: %s", law, each.what())
                        .anySatisfy(test -> assertThat(test).contains("." + Break.prefixOf(law))));
    }

    static List<Break> a_break_is_caught() {
        List<String> wanted = List.of(System.getProperty("tenure.breaks", "").split("[ ,]+"));
        return ALL.stream()
                .filter(each -> wanted.stream().anyMatch(each.id()::startsWith))
                .toList();
    }

    /** The classes that run tests of the laws: those that need no server, when they see the broken module too. */
    private static List<String> testsOf(String module, List<Integer> laws) {
        List<String> modules = laws.contains(11)
                ? List.of("verification")
                : List.of("redis", "jdbc").contains(module) ? List.of(module) : List.of("core", "testkit");
        Set<String> running = LawTests.named("law").stream()
                .filter(test -> laws.isEmpty() || laws.contains(test.number()))
                .flatMap(test -> test.runBy().stream())
                .collect(Collectors.toSet());
        return SourceTree.allSources().stream()
                .map(SourceTree::nameOf)
                .filter(file -> modules.contains(file.substring(0, file.indexOf('/'))))
                .filter(file -> file.contains("/src/test/java/"))
                .map(file -> file.replaceFirst(".*/src/test/java/", "")
                        .replace(".java", "")
                        .replace('/', '.'))
                .filter(type -> running.contains(type.substring(type.lastIndexOf('.') + 1)))
                .toList();
    }

    /** Puts the new text of {@code file}, compiled where it is code, where it is found before the old one. */
    private static void compile(String file, String text, Path classes) throws IOException {
        String within = file.replaceFirst(".*/src/main/(java|resources)/", "");
        boolean code = file.endsWith(".java");
        Path target = (code ? Files.createTempDirectory(copy, "sources") : classes).resolve(within);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
        if (!code) {
            return;
        }
        Files.createDirectories(classes);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());
            assertThat(compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjects(target))
                            .call())
                    .as("%s compiles", file)
                    .isTrue();
        }
    }

    /**
     * Runs the tests whose names begin so in a process of their own; returns those that failed or never ended, as many as
     * it takes to believe it.
     */
    private static Set<String> failing(String id, List<String> tests, String prefixes, long seconds)
            throws IOException, InterruptedException {
        Stream<Path> copies = SourceTree.modules().stream().map(module -> copy.resolve(module + "/target/classes"));
        Stream<Path> all = SourceTree.modules().stream()
                .map(module -> SourceTree.root().resolve(module).resolve("target/test-classes"));
        String path = Stream.concat(Stream.of(copy.resolve("impatient")), Stream.concat(copies, all))
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator
                + classPath();
        Path output = copy.resolve(id + ".txt");
        Path scratch =
                Files.createDirectory(copy.resolve(id + "-scratch")); // servers that are ended so clean up nothing
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-Dbasedir=" + copy.resolve("verification"),
                        "-Djava.io.tmpdir=" + scratch,
                        "-Dot.epg.working-dir=" + Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg"),
                        "-cp",
                        path,
                        LawRun.class.getName(),
                        String.join(",", tests),
                        prefixes)
                .redirectOutput(output.toFile())
                .redirectError(copy.resolve(id + ".err").toFile())
                .start();
        try {
            process.waitFor(seconds, TimeUnit.SECONDS);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            delete(scratch);
        }
        return unpassed(Files.readAllLines(output));
    }

    private static Set<String> unpassed(List<String> lines) {
        Set<String> failing = new TreeSet<>();
        String running = "";
        for (String line : lines) {
            String test = line.substring(line.indexOf(' ') + 1);
            running = line.startsWith("BEGUN ") ? test : "";
            if (line.startsWith("FAILED ")) {
                failing.add(test);
            }
        }
        if (!running.isEmpty()) {
            failing.add(running);
        }
        return failing;
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
