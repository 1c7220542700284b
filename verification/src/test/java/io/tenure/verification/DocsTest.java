package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the documents of this checkout to the rules; with {@code -Dtenure.docs.update} it first writes their code anew. */
class DocsTest {
    private static final List<Path> DOCUMENTS = SourceTree.documents();
    private static final Regions REGIONS = Regions.of(SourceTree.allSources());

    @Test
    void the_rules_have_something_to_judge() {
        assertThat(DOCUMENTS).extracting(SourceTree::nameOf).contains("README.md", "docs/laws.md");
        assertThat(REGIONS.names()).isNotEmpty();
    }

    @Test
    void code_in_documents_is_code_that_is_compiled_and_run() {
        if (System.getProperty("tenure.docs.update") != null) {
            DocRules.update(DOCUMENTS, REGIONS);
        }

        assertThat(DocRules.snippets(DOCUMENTS, REGIONS)).isEmpty();
    }

    @Test
    void every_marked_region_is_shown() {
        assertThat(DocRules.unused(DOCUMENTS, REGIONS)).isEmpty();
    }

    @Test
    void links_lead_somewhere() {
        assertThat(DocRules.links(DOCUMENTS, SourceTree.root())).isEmpty();
    }
}
