package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows every rule for documents refusing what breaks it, and only that. */
class DocRulesTest {
    @TempDir
    private Path folder;

    private Path source;
    private String region;

    @BeforeEach
    void aSourceWithOneRegion() throws IOException {
        folder = folder.toRealPath();
        source = source("""
                class Work {
                  void work() {
                    %tag::loop
                    while (open) {
                      step();
                    }
                    %end::loop
                  }
                }
                """);
        region = SourceTree.nameOf(source) + "#loop";
    }

    @Test
    void a_block_that_equals_its_region_is_right() throws IOException {
        assertThat(snippets(document(marked(region, "while (open) {\n  step();\n}"))))
                .isEmpty();
    }

    @Test
    void a_block_that_differs_from_its_region_is_refused() throws IOException {
        assertThat(snippets(document(marked(region, "while (open) {\n  steps();\n}"))))
                .singleElement()
                .asString()
                .contains("Text.md:2 differs from " + region, "-Dtenure.docs.update");
    }

    @Test
    void a_block_that_shows_no_region_is_refused() throws IOException {
        assertThat(snippets(document(marked(region + "s", "step();"))))
                .singleElement()
                .asString()
                .contains("Text.md:2 shows " + region + "s, which is no region");
    }

    @ParameterizedTest
    @ValueSource(strings = {"```java\n", "``` Java\n", "~~~java {.wide}\n", "1. First\n\n   ```java\n"})
    void java_without_a_marker_is_refused(String fence) throws IOException {
        assertThat(snippets(document("Text.\n\n" + fence + "step();\n")))
                .singleElement()
                .asString()
                .contains("is Java without a marker");
    }

    @Test
    void a_block_in_another_language_needs_no_marker() throws IOException {
        assertThat(snippets(document("```\nmvn verify\n```\n\n```javascript\nstep();\n```\n")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!-- snippet: File.java#loop -->\n\nText.\n",
                "<!-- snippet: File.java#loop -->\n\n```\nstep();\n```\n",
                "<!-- snippet: File.java -->\n```\nstep();\n```\n",
                "<!--snippet: File.java#loop-->\n```\nstep();\n```\n",
                "<!-- snippets: File.java#loop -->\n```\nstep();\n```\n",
            })
    void a_marker_that_marks_nothing_is_refused(String text) throws IOException {
        assertThat(snippets(document(text))).singleElement().asString().contains("Text.md:1 <!--", "File.java");
    }

    @Test
    void a_region_that_no_document_shows_is_refused() throws IOException {
        assertThat(DocRules.unused(List.of(document("Text.\n")), Set.of(), Regions.of(List.of(source))))
                .singleElement()
                .asString()
                .startsWith(region + " is shown by no document");
        assertThat(DocRules.unused(List.of(document("Text.\n")), Set.of(region), Regions.of(List.of(source))))
                .isEmpty();
        assertThat(DocRules.unused(List.of(document(marked(region, "other"))), Set.of(), Regions.of(List.of(source))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'%tag::a\nx();\n', is never ended",
        "'x();\n%end::a\n', ends without having begun",
        "'%tag::a\n%end::a\n', is empty",
        "'%tag::a\nx();\n%end::a\n%tag::a\ny();\n%end::a\n', begins twice",
        "'%tag::a\n%tag::a\ny();\n%end::a\n', begins twice",
        "'%tag::A b\ny();\n', is no name for a region",
    })
    void tags_that_make_no_region_are_refused(String text, String complaint) throws IOException {
        assertThat(DocRules.snippets(List.of(), Regions.of(List.of(source(text)))))
                .anySatisfy(broken -> assertThat(broken).contains(complaint));
    }

    @Test
    void regions_overlap_and_tags_belong_to_none() throws IOException {
        Path file = source("%tag::all\n  a();\n%tag::part\n    b();\n%end::all\n    c();\n%end::part\n");
        Regions regions = Regions.of(List.of(file));

        assertThat(regions.broken()).isEmpty();
        assertThat(regions.text(SourceTree.nameOf(file) + "#all")).contains("a();\n  b();\n");
        assertThat(regions.text(SourceTree.nameOf(file) + "#part")).contains("b();\nc();\n");
    }

    @Test
    void an_update_makes_blocks_equal_to_their_regions_and_leaves_the_rest() throws IOException {
        String old = "# Title\n\n" + marked(region, "old();") + "\n* Point\n\n  "
                + marked(region, "").replace("\n", "\n  ") + "\n" + "```text\nkept\n```\n"
                + marked("File.java#gone", "kept");
        Path document = document(old);

        DocRules.update(List.of(document), Regions.of(List.of(source)));

        assertThat(document)
                .hasContent("# Title\n\n" + marked(region, "while (open) {\n  step();\n}") + "\n* Point\n\n  "
                        + marked(region, "while (open) {\n  step();\n}").replace("\n", "\n  ") + "\n"
                        + "```text\nkept\n```\n" + marked("File.java#gone", "kept"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a](other/Other.md)",
                "[a](Text.md#a-heading-with-code-and-signs)",
                "[a](#a-heading-with-code-and-signs)",
                "[a](#a-heading-with-code-and-signs-1)",
                "[a](other/Other.md#by-hand)",
                "[a](<other/With space.md> 'title')",
                "[a][b]\n\n[b]: other/Other.md",
                "[a](other)",
                "[a](https://example.org/gone#gone)",
                "`[a](gone.md)`",
                "```\n[a](gone.md)\n```",
            })
    void links_that_lead_somewhere_are_right(String link) throws IOException {
        assertThat(links(link)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'[a](gone.md)', gone.md is not there",
        "'![a](gone.png)', gone.png is not there",
        "'| [a](gone.md) |', gone.md is not there",
        "'[a][b]\n\n[b]: gone.md', gone.md is not there",
        "'[a](../../../../../../etc/hosts)', is not there",
        "'[a](/Text.md)', begins at the root of a host",
        "'[a](#gone)', names a heading that is not there",
        "'[a](#a-heading-with-code-and-signs-2)', names a heading that is not there",
        "'[a](other/Other.md#gone)', names a heading that is not there",
        "'[a](File.java#L3)', names a place in a file that is no Markdown",
    })
    void links_that_lead_nowhere_are_refused(String link, String complaint) throws IOException {
        assertThat(links(link)).singleElement().asString().contains("Text.md:6 ", complaint);
    }

    private List<String> links(String link) throws IOException {
        String heading = "## A *heading* with `code()`, and: signs!\n\n";
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(other.resolve("Other.md"), "Text <a id=\"by-hand\"></a>\n");
        Files.writeString(other.resolve("With space.md"), "Text\n");
        return DocRules.links(List.of(document(heading + heading + "Text\n" + link + "\n")), folder);
    }

    private List<String> snippets(Path document) {
        return DocRules.snippets(List.of(document), Regions.of(List.of(source)));
    }

    private static String marked(String name, String text) {
        return "<!-- snippet: " + name + " -->\n```java\n" + (text.isEmpty() ? "" : text + "\n") + "```\n";
    }

    private Path document(String text) throws IOException {
        return Files.writeString(folder.resolve("Text.md"), text);
    }

    /** Tags are written with a percent sign here, or this file would have regions itself. */
    private Path source(String text) throws IOException {
        return Files.writeString(folder.resolve("File.java"), text.replace("%", "//"));
    }
}
