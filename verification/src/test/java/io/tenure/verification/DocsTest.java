package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the documents of this checkout to the rules; with {@code -Dtenure.docs.update} it first writes their code anew. */
class DocsTest {
    private static final List<Path> DOCUMENTS = SourceTree.documents();
    private static final Regions REGIONS = Regions.of(SourceTree.allSources());
    private static final Javadoc JAVADOC = Javadoc.of(SourceTree.mainSourcesOf(SourceTree.libraries()));

    @Test
    void the_rules_have_something_to_judge() {
        assertThat(DOCUMENTS).extracting(SourceTree::nameOf).contains("README.md", "docs/laws.md");
        assertThat(REGIONS.names()).isNotEmpty();
        assertThat(JAVADOC.names())
                .contains("io.tenure.Tenure", "io.tenure.Tenure.Builder", "io.tenure.spi.Wakeups.Listener")
                .noneMatch(name -> name.contains(".internal."));
        assertThat(JAVADOC.regionsShown()).isNotEmpty();
    }

    @Test
    void code_in_documents_is_code_that_is_compiled_and_run() {
        if (System.getProperty("tenure.docs.update") != null) {
            DocRules.update(DOCUMENTS, REGIONS);
        }

        assertThat(DocRules.snippets(DOCUMENTS, REGIONS)).isEmpty();
    }

    @Test
    void code_in_the_javadoc_is_code_that_is_compiled_and_run() {
        assertThat(JAVADOC.snippets(REGIONS)).isEmpty();
    }

    @Test
    void every_type_that_users_see_tells_of_threads() {
        assertThat(JAVADOC.silentOnThreads()).isEmpty();
    }

    @Test
    void every_marked_region_is_shown() {
        assertThat(DocRules.unused(DOCUMENTS, JAVADOC.regionsShown(), REGIONS)).isEmpty();
    }

    @Test
    void links_lead_somewhere() {
        assertThat(DocRules.links(DOCUMENTS, SourceTree.root())).isEmpty();
    }
}
