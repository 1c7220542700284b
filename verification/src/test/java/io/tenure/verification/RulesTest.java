package io.tenure.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows every rule refusing code that breaks it, and only that code. */
class RulesTest {

    private static final String ARROWS = "io.tenure.verification.arrows";

    private static final JavaClasses BROKEN =
            new ClassFileImporter().importPackages("io.tenure.verification.broken", "io.tenure.verification.marked");
    private static final JavaClasses CROSSED = new ClassFileImporter().importPackages(ARROWS);

    @ParameterizedTest
    @MethodSource
    void a_rule_refuses_what_breaks_it(ArchRule rule, List<String> expected) {
        EvaluationResult result = rule.evaluate(BROKEN);

        assertRefused(result, expected);
    }

    static Stream<Arguments> a_rule_refuses_what_breaks_it() {
        return Stream.of(
                Arguments.of(CodeRules.NO_SYNCHRONIZED_METHODS, List.of("Synchronized.asModifier()")),
                Arguments.of(
                        CodeRules.NO_WALL_CLOCK,
                        List.of(
                                "WallClock.<init>()> references",
                                "WallClock.millis()",
                                "WallClock.instant()",
                                "WallClock.clock()",
                                "WallClock.date()")),
                Arguments.of(
                        CodeRules.NO_PRINTING,
                        List.of("Printing.out()", "Printing.err()", "Printing.trace(java.lang.IllegalStateException)")),
                Arguments.of(
                        CodeRules.NO_ASYNC_WITHOUT_EXECUTOR,
                        Stream.concat(
                                        asynchronousWithoutExecutor().stream(),
                                        Stream.of(
                                                "orTimeout",
                                                "completeOnTimeout",
                                                "delayedExecutor",
                                                "delayedExecutorOn",
                                                "defaultExecutor",
                                                "Own.inherited",
                                                "typedByFuture",
                                                "typedByAnother",
                                                "referenced",
                                                "referencedStage",
                                                "insideALambda"))
                                .map(name -> "AsyncWithoutExecutor" + (name.startsWith("Own") ? "$" : ".") + name + "(")
                                .toList()),
                Arguments.of(
                        CodeRules.NO_COMMON_POOL,
                        Stream.of(
                                        "pool",
                                        "collection",
                                        "stream",
                                        "numbers",
                                        "spliterator",
                                        "array",
                                        "map",
                                        "search",
                                        "fork",
                                        "publisher")
                                .map(name -> "broken.CommonPool." + name + "(")
                                .toList()),
                Arguments.of(
                        CodeRules.NO_LOGGING,
                        List.of(
                                "Logging.LOGGER> has type",
                                "Logging.<clinit>()> calls method <java.util.logging.Logger.getLogger",
                                "Logging.SYSTEM_LOGGER> has type")),
                Arguments.of(
                        CodeRules.NO_MUTABLE_STATICS,
                        List.of(
                                "MutableStatics.changing",
                                "MutableStatics.ARRAY",
                                "MutableStatics.COUNTER",
                                "MutableStatics.MAP",
                                "MutableStatics.LOCAL")),
                Arguments.of(CodeRules.fewPublicMethods(Map.of()), List.of("ManyMethods has 16")));
    }

    /** Every method of a stage that runs its work where the stage likes: each has an example of its own. */
    private static Set<String> asynchronousWithoutExecutor() {
        return Stream.<Class<?>>of(CompletableFuture.class, CompletionStage.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.getName().endsWith("Async"))
                .filter(method -> !Arrays.asList(method.getParameterTypes()).contains(Executor.class))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource
    void an_arrow_refuses_to_be_crossed(ArchRule rule, List<String> expected) {
        EvaluationResult result = rule.evaluate(CROSSED);

        assertRefused(result, expected);
    }

    static Stream<Arguments> an_arrow_refuses_to_be_crossed() {
        Arrows arrows = new Arrows(ARROWS);
        return Stream.of(
                Arguments.of(
                        arrows.onlyTheEntranceKnowsTheEngine(), List.of("arrows.ValueThatOpensTheEngine.engine()")),
                Arguments.of(arrows.valuesKnowNoStoreAndNoSpi(), List.of("arrows.ValueThatKnowsTheSpi")),
                Arguments.of(arrows.spiKnowsNoStore(), List.of("spi.SpiThatKnowsAStore.store()")),
                Arguments.of(arrows.engineKnowsNoStore(), List.of("internal.EngineThatKnowsAStore.<init>()")),
                Arguments.of(
                        arrows.nothingBelowKnowsTheEntrance(), List.of("internal.EngineThatKnowsTheEntrance.open()")),
                Arguments.of(arrows.coreKnowsNothingElse(), List.of("arrows.ValueWithADependency.check()")),
                Arguments.of(arrows.storesKnowNoOtherStore(), List.of("redis.StoreThatKnowsAnother.others()")),
                Arguments.of(arrows.testKitKnowsCoreOnly(), List.of("testkit.KitThatKnowsAStore.store()")),
                Arguments.of(arrows.nobodyKnowsTheTestKit(), List.of("redis.StoreThatKnowsTheTestKit.<init>()")),
                Arguments.of(arrows.librariesKnowNoProgram(), List.of("redis.StoreThatKnowsAProgram.<init>()")));
    }

    @Test
    void a_package_without_null_marking_is_refused_and_a_marked_one_is_not() {
        List<String> details = CodeRules.EVERY_PACKAGE_IS_NULL_MARKED
                .evaluate(BROKEN)
                .getFailureReport()
                .getDetails();

        assertThat(details)
                .isNotEmpty()
                .allSatisfy(detail -> assertThat(detail).startsWith("io.tenure.verification.broken."));
    }

    @Test
    void a_reason_admits_a_type_with_many_methods() {
        Map<String, String> allowed = Map.of("io.tenure.verification.broken.ManyMethods", "it is an example");

        assertThat(CodeRules.fewPublicMethods(allowed).evaluate(BROKEN).hasViolation())
                .isFalse();
    }

    @Test
    void a_monitor_is_found_as_modifier_and_as_block_but_not_in_comments_and_texts() {
        Path file = SourceTree.testSourceOf("io.tenure.verification.broken.Synchronized");

        assertThat(TextRules.synchronizedIn(List.of(file)))
                .satisfiesExactly(
                        line -> assertThat(line).contains("synchronized void asModifier()"),
                        line -> assertThat(line).contains("synchronized (this)"));
    }

    @Test
    void a_test_that_is_switched_off_is_found(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("OffTest.java");
        Files.writeString(file, """
                // @Disabled in a comment is fine
                @Disabled("later")
                @DisabledOnOs(WINDOWS)
                void test() {
                    assumeTrue(serverIsUp());
                    assertThat(assumedHolder()).isNull();
                }
                """);

        assertThat(TextRules.switchedOffIn(List.of(file)))
                .satisfiesExactly(
                        line -> assertThat(line).contains(":2 "),
                        line -> assertThat(line).contains(":3 "),
                        line -> assertThat(line).contains(":5 "));
    }

    @Test
    void a_long_file_needs_a_reason_and_a_reason_a_long_file(@TempDir Path folder) throws IOException {
        Path fits = Files.writeString(folder.resolve("Fits.java"), "//\n".repeat(TextRules.MOST_LINES));
        Path tooLong = Files.writeString(folder.resolve("TooLong.java"), "//\n".repeat(TextRules.MOST_LINES + 1));
        List<Path> files = List.of(fits, tooLong);
        String reason = "it is an example";

        assertThat(TextRules.tooLong(files, Map.of()))
                .singleElement()
                .asString()
                .startsWith(SourceTree.nameOf(tooLong) + " has 351 lines");
        assertThat(TextRules.tooLong(files, Map.of(SourceTree.nameOf(tooLong), reason)))
                .isEmpty();
        assertThat(TextRules.tooLong(List.of(fits), Map.of(SourceTree.nameOf(fits), reason)))
                .singleElement()
                .asString()
                .startsWith(SourceTree.nameOf(fits) + " keeps the rule or is gone");
    }

    @Test
    void a_dependency_that_users_get_needs_a_reason_and_a_reason_a_dependency(@TempDir Path folder) throws IOException {
        Path pom =
                Files.writeString(Files.createDirectory(folder.resolve("store")).resolve("pom.xml"), """
                <project>
                  <dependencies>
                    <dependency><groupId>g</groupId><artifactId>bare</artifactId></dependency>
                    <dependency><groupId>g</groupId><artifactId>late</artifactId><scope>runtime</scope></dependency>
                    <dependency><groupId>g</groupId><artifactId>client</artifactId><optional>true</optional></dependency>
                    <dependency><groupId>g</groupId><artifactId>tests</artifactId><scope>test</scope></dependency>
                    <dependency><groupId>g</groupId><artifactId>marks</artifactId><scope>provided</scope></dependency>
                  </dependencies>
                  <profiles>
                    <profile>
                      <dependencies>
                        <dependency><groupId>g</groupId><artifactId>hidden</artifactId></dependency>
                      </dependencies>
                    </profile>
                  </profiles>
                </project>
                """);
        String reason = "it is an example";
        Map<String, String> all =
                Map.of("store brings g:bare", reason, "store brings g:late", reason, "store brings g:hidden", reason);

        assertThat(DependencyRules.brought(List.of(pom), all)).isEmpty();
        assertThat(DependencyRules.brought(List.of(pom), Map.of("store brings g:gone", reason)))
                .satisfiesExactly(
                        bare -> assertThat(bare).startsWith("store brings g:bare to its users"),
                        late -> assertThat(late).startsWith("store brings g:late to its users"),
                        hidden -> assertThat(hidden).startsWith("store brings g:hidden to its users"),
                        gone -> assertThat(gone).startsWith("store brings g:gone keeps the rule or is gone"));
    }

    @Test
    void an_internal_package_that_a_module_shows_is_found() {
        ModuleDescriptor module = ModuleDescriptor.newModule("broken")
                .exports("broken.api")
                .exports("broken.internal")
                .exports("broken.internal.machine", Set.of("friend"))
                .opens("broken.spi.internal", Set.of("friend"))
                .build();

        assertThat(ModuleRules.internalsShownBy(module))
                .containsExactly(
                        "broken exports broken.internal",
                        "broken exports broken.internal.machine",
                        "broken opens broken.spi.internal");
    }

    /** Every expected place is named, and nothing is refused elsewhere. */
    private static void assertRefused(EvaluationResult result, List<String> expected) {
        List<String> details = result.getFailureReport().getDetails();

        assertThat(expected)
                .allSatisfy(place -> assertThat(details)
                        .as(place)
                        .anySatisfy(detail -> assertThat(detail).contains(place)));
        assertThat(details)
                .allSatisfy(detail -> assertThat(expected)
                        .as(detail)
                        .anySatisfy(place -> assertThat(detail).contains(place)));
    }
}
