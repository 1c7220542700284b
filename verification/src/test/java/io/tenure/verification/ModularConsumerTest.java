package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module of its own compiles with our modules alone: nothing optional is forced on it. */
class ModularConsumerTest {
    @TempDir
    private Path folder;

    @Test
    void a_modular_application_needs_neither_annotations_nor_a_client_that_it_does_not_use() throws Exception {
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
                    RedisLeaseStore redis = RedisLeaseStore.connect("redis://localhost");
                    try (Tenure tenure = Tenure.over(redis).open()) {
                      String done = tenure.lock("job").call(held -> "done under " + held.token());
                      System.out.println(done);
                    }
                  }
                }
                """);

        assertThat(compile(List.of(module, main))).isEmpty();
    }

    private String compile(List<Path> sources) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String modules = SourceTree.classesOf("core") + File.pathSeparator + SourceTree.classesOf("redis");
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-Xlint:all",
                    "-Werror",
                    "--module-path",
                    modules,
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
