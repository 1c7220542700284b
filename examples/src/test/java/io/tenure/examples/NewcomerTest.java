package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Somebody copies the first code that the README shows, and runs it. */
class NewcomerTest {
    private static final Pattern FIRST_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String ADDRESS = "redis://localhost:6379";

    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @TempDir
    private Path folder;

    @Test
    void the_first_code_of_the_readme_compiles_without_a_warning_leads_and_writes() throws Exception {
        String code = firstCode();
        assertThat(code).contains(ADDRESS);
        compile("""
                import io.tenure.*;
                import io.tenure.redis.*;

                class Main {
                  public static void main(String[] args) throws Exception {
                %s  }
                }
                """.formatted(code.replace(ADDRESS, REDIS.uri())));

        String classPath = folder + File.pathSeparator + System.getProperty("java.class.path");
        try (Program program = Program.start(classPath, "Main")) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> "running".equals(REDIS.cli().hget("jobs:report", "status")));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> program.tokens("Elected").findFirst().isPresent());

            assertThat(program.lines().get(0)).startsWith("Elected[name=report-builder, token=");
        }
    }

    private static String firstCode() throws IOException {
        Path readme =
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("README.md");
        Matcher block = FIRST_BLOCK.matcher(Files.readString(readme));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private void compile(String source) throws IOException {
        Path file = Files.writeString(folder.resolve("Main.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-Xlint:all,-classfile,-path",
                    "-Werror",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    folder.toString());
            boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}
