package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the code of this checkout to the rules. */
class CodeTest {

    private static final JavaClasses LIBRARIES = SourceTree.mainClassesOf(SourceTree.libraries());
    private static final JavaClasses EVERYTHING = SourceTree.mainClassesOf(SourceTree.modules().stream()
            .filter(module -> !module.equals("verification"))
            .toList());

    @Test
    void the_rules_have_something_to_judge() {
        assertThat(SourceTree.libraries()).contains("core");
        assertThat(LIBRARIES).extracting(JavaClass::getName).contains("io.tenure.Lease", "io.tenure.spi.LeaseStore");
        assertThat(SourceTree.allSources()).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @MethodSource
    void libraries_keep(ArchRule rule) {
        rule.check(LIBRARIES);
    }

    static Stream<ArchRule> libraries_keep() {
        return Stream.of(
                CodeRules.NO_SYNCHRONIZED_METHODS,
                CodeRules.NO_PRINTING,
                CodeRules.NO_LOGGING,
                CodeRules.NO_MUTABLE_STATICS,
                CodeRules.fewPublicMethods(Allowed.MANY_PUBLIC_METHODS));
    }

    @Test
    void law11_no_library_reads_the_wall_clock() {
        CodeRules.NO_WALL_CLOCK.check(LIBRARIES);
    }

    @ParameterizedTest
    @MethodSource
    void all_main_code_keeps(ArchRule rule) {
        rule.check(EVERYTHING);
    }

    static Stream<ArchRule> all_main_code_keeps() {
        Arrows arrows = new Arrows("io.tenure");
        return Stream.of(
                CodeRules.EVERY_PACKAGE_IS_NULL_MARKED,
                CodeRules.NO_ASYNC_WITHOUT_EXECUTOR,
                CodeRules.NO_COMMON_POOL,
                arrows.onlyTheEntranceKnowsTheEngine(),
                arrows.valuesKnowNoStoreAndNoSpi(),
                arrows.spiKnowsNoStore(),
                arrows.engineKnowsNoStore(),
                arrows.nothingBelowKnowsTheEntrance(),
                arrows.coreKnowsNothingElse(),
                arrows.storesKnowNoOtherStore(),
                arrows.testKitKnowsCoreOnly(),
                arrows.nobodyKnowsTheTestKit(),
                arrows.librariesKnowNoProgram());
    }

    @Test
    void libraries_are_free_of_monitors() {
        assertThat(TextRules.synchronizedIn(SourceTree.mainSourcesOf(SourceTree.libraries())))
                .isEmpty();
    }

    @Test
    void no_file_is_too_long() {
        assertThat(TextRules.tooLong(SourceTree.allSources(), Allowed.LONG_FILES))
                .isEmpty();
    }

    @Test
    void no_test_is_switched_off() {
        assertThat(TextRules.switchedOffIn(SourceTree.allSources())).isEmpty();
    }

    @Test
    void every_reason_for_many_methods_is_still_needed() {
        List<String> needed = LIBRARIES.stream()
                .filter(type -> CodeRules.publicMethodsOf(type) > CodeRules.MOST_PUBLIC_METHODS)
                .map(JavaClass::getName)
                .toList();

        assertThat(TextRules.notNeeded("MANY_PUBLIC_METHODS", Allowed.MANY_PUBLIC_METHODS, needed))
                .isEmpty();
    }

    @Test
    void libraries_bring_their_users_nothing_without_a_reason_and_no_client() {
        List<Path> poms = SourceTree.libraries().stream()
                .map(module -> SourceTree.root().resolve(module).resolve("pom.xml"))
                .toList();

        assertThat(DependencyRules.brought(poms, Allowed.BROUGHT)).isEmpty();
    }

    @Test
    void no_module_shows_its_internals() {
        List<String> modules =
                SourceTree.libraries().stream().filter(SourceTree::hasMainCode).toList();

        assertThat(modules)
                .isNotEmpty()
                .allSatisfy(module -> assertThat(
                                ModuleRules.internalsShownBy(ModuleRules.descriptorIn(SourceTree.classesOf(module))))
                        .isEmpty());
    }
}
