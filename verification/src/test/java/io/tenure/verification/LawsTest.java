package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Holds the pages of laws and cases to the tests that there are, and the tests to the laws. */
class LawsTest {
    /** Rewrites the pages instead of comparing them. */
    private static final String UPDATE = "tenure.docs.update";

    private static final List<LawTest> LAWS = LawTests.named("law");
    private static final List<LawTest> CASES = LawTests.named("case");

    private final List<Break> breaks = Breaks.all();
    private final TestPage laws = new TestPage("Law", head("laws.template"), LAWS, breaks, Breaks.results());
    private final TestPage cases = new TestPage("Case", head("cases.template"), CASES, List.of(), Map.of());

    @Test
    void the_page_of_the_laws_is_up_to_date() throws IOException {
        assertUpToDate("docs/laws.md", laws);
    }

    @Test
    void the_page_of_the_cases_is_up_to_date() throws IOException {
        assertUpToDate("docs/cases.md", cases);
    }

    private static void assertUpToDate(String file, TestPage page) throws IOException {
        Path path = SourceTree.root().resolve(file);
        if (System.getProperty(UPDATE) != null) {
            Files.writeString(path, page.text());
        }
        assertThat(Files.exists(path) ? SourceTree.read(path) : "")
                .as(file + " is generated: mvn -pl verification -am test -Dtest=LawsTest -D" + UPDATE
                        + " -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(page.text());
    }

    @Test
    void every_law_has_tests_and_every_test_a_law() {
        assertThat(laws.sentences()).hasSize(30);
        assertThat(LAWS)
                .extracting(LawTest::number)
                .as("laws with tests, and laws that tests are named after")
                .hasSameElementsAs(laws.sentences().keySet());
    }

    @Test
    void every_case_has_tests_and_every_test_a_case() {
        assertThat(cases.sentences()).hasSize(29);
        assertThat(CASES)
                .extracting(LawTest::number)
                .as("cases with tests, and cases that tests are named after")
                .hasSameElementsAs(cases.sentences().keySet());
    }

    @Test
    void every_suite_is_run_by_somebody() {
        assertThat(LAWS)
                .allSatisfy(test -> assertThat(test.runBy()).as(test.type()).isNotEmpty());
        assertThat(CASES)
                .allSatisfy(test -> assertThat(test.runBy()).as(test.type()).isNotEmpty());
    }

    @Test
    void every_law_has_been_broken_on_purpose_and_a_test_of_that_law_has_caught_it() {
        Map<String, Set<String>> results = Breaks.results();

        assertThat(laws.sentences().keySet())
                .allSatisfy(law -> assertThat(breaks)
                        .as("breaks of law %d", law)
                        .filteredOn(each -> each.laws().contains(law))
                        .isNotEmpty());
        assertThat(breaks)
                .allSatisfy(each -> assertThat(each.laws())
                        .allSatisfy(law -> assertThat(results.getOrDefault(each.id(), Set.of()))
                                .as("what caught '%s', by .ci/breaks %s", each.id(), each.id())
                                .anySatisfy(test -> assertThat(test).contains("." + Break.prefixOf(law)))));
    }

    @Test
    void every_break_on_record_fits_the_code_and_has_a_name_of_its_own() {
        assertThat(breaks).extracting(Break::id).doesNotHaveDuplicates();
        assertThat(breaks).allSatisfy(each -> assertThat(each.applied()).contains(each.put()));
        assertThat(Breaks.results().keySet())
                .as("results of breaks that there are")
                .isSubsetOf(breaks.stream().map(Break::id).toList());
    }

    @Test
    void every_test_that_caught_a_break_is_still_there() {
        assertThat(Breaks.results())
                .allSatisfy((id, tests) -> assertThat(tests)
                        .as("results of '%s': run .ci/breaks %s", id, id)
                        .allSatisfy(test -> assertThat(LAWS)
                                .anyMatch(law -> law.runBy().contains(test.substring(0, test.indexOf('.')))
                                        && law.method().equals(test.substring(test.indexOf('.') + 1)))));
    }

    @Test
    void a_break_that_fits_nowhere_or_changes_nothing_is_refused() {
        String file = "core/src/main/java/io/tenure/Lease.java";
        Break nowhere = new Break("nowhere", List.of(1), file, "What.", "no such text", "text");
        Break twice = new Break("twice", List.of(1), file, "What.", "e", "text");
        Break nothing = new Break("nothing", List.of(1), file, "What.", "interface Lease", "interface Lease");

        assertThat(List.of(nowhere, twice, nothing))
                .allSatisfy(each -> org.assertj.core.api.Assertions.assertThatIllegalStateException()
                        .isThrownBy(each::applied)
                        .withMessageContaining(each.id()));
    }

    private static String head(String file) {
        try (InputStream in = Objects.requireNonNull(LawsTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
