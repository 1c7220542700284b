package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows the rules for comments refusing what breaks them, and only that. */
class JavadocTest {
    @TempDir
    private Path folder;

    @Test
    void a_type_that_users_see_tells_of_threads() throws IOException {
        Path api = write("Api.java", """
                package p;
                /** Does things. Thread-safe. */
                public final class Api {
                    /** Collects. */
                    public static final class Builder {}
                    /** Nobody sees it. */
                    static final class Hidden {
                        /** Nor this. */
                        public interface Deep {}
                    }
                    /** A value. */
                    public record Value(int number) {}
                    /** A choice. */
                    public enum Choice { ONE }
                    /** A failure. */
                    public static final class OddException extends RuntimeException {}
                }
                """);
        Path port = write("Port.java", """
                package p;
                /** Called on any thread. */
                public interface Port {
                    /** A callback. */
                    interface Listener {}
                }
                """);
        Path bare = write("Bare.java", "package p; public class Bare {}");
        Path suite = write("StoreContract.java", "package p; /** Tests. */ public abstract class StoreContract {}");
        Files.createDirectory(folder.resolve("internal"));
        Path inside = write("internal/Engine.java", "package p.internal; /** Turns. */ public class Engine {}");

        assertThat(Javadoc.of(List.of(api, port, bare, suite, inside)).silentOnThreads())
                .satisfiesExactly(
                        builder -> assertThat(builder).startsWith("p.Api.Builder does not say"),
                        listener -> assertThat(listener).startsWith("p.Port.Listener does not say"),
                        naked -> assertThat(naked).startsWith("p.Bare does not say"));
    }

    @Test
    void code_in_a_comment_is_a_region_of_code_that_is_compiled() throws IOException {
        Path source = write("Use.java", """
                class Use {
                  void use() {
                    %tag::loop
                    while (open) {
                      step();
                    }
                    %end::loop
                  }
                }
                """.replace("%", "// "));
        String region = SourceTree.nameOf(source) + "#loop";
        String loop = " * while (open) {\n *   step();\n * }\n";
        Javadoc javadoc = Javadoc.of(List.of(
                shows("Right", region, loop),
                shows("Wrong", region, loop.replace("open", "closed")),
                shows("Lost", region + "s", loop),
                write("Free.java", "/**\n * <pre>{@code\n" + loop + " * }</pre>\n */\npublic class Free {}")));

        assertThat(javadoc.snippets(Regions.of(List.of(source))))
                .satisfiesExactly(
                        wrong -> assertThat(wrong).contains("Wrong differs from " + region),
                        lost -> assertThat(lost).contains("Lost shows " + region + "s, which is no region"),
                        free -> assertThat(free).contains("Free has no marker"));
        assertThat(javadoc.regionsShown()).containsExactly(region, region + "s");
    }

    private Path shows(String type, String region, String code) throws IOException {
        return write(
                type + ".java",
                "/**\n * Text.\n *\n * <!-- snippet: " + region + " -->\n * <pre>{@code\n" + code
                        + " * }</pre>\n */\npublic class " + type + " {}");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.toRealPath().resolve(name), text);
    }
}
