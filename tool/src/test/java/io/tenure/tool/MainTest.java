package io.tenure.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(args);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dem", "--verbos", "demo --forever", "demo now", "contender", "contender redis A role more"})
    void what_it_does_not_know_is_answered_with_usage_and_exit_code_2(String line) {
        assertThat(execute(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: tenure");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --store oracle", "demo --store=", "demo --store Rediss", "contender oracle A role"})
    void a_store_that_it_does_not_know_is_answered_with_those_that_it_does(String line) {
        assertThat(execute(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("there are redis, postgres, h2").contains("Usage: tenure");
    }

    @Test
    void names_of_stores_are_read_in_any_case() {
        for (String name : List.of("H2", "h2", "Postgres", "REDIS")) {
            assertThat(new Backends().convert(name).name()).isEqualTo(name.toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void without_arguments_it_prints_its_usage() {
        assertThat(execute()).isZero();
        assertThat(out.toString()).contains("Usage: tenure").contains("demo");
    }

    @Test
    void help_does_not_show_the_command_that_only_the_demo_uses() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("demo").doesNotContain("contender");
    }

    @Test
    void help_of_the_demo_tells_its_exit_codes_and_variables_within_80_columns() {
        assertThat(execute("demo", "--help")).isZero();
        assertThat(out.toString()).contains("--store", "redis, postgres, h2", "TENURE_URL", "NO_COLOR", "Exit code");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void version_is_the_one_of_the_build() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString()).matches("tenure \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    }
}
