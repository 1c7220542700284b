package io.tenure.verification;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who may know whom, below one root package: programs -> stores -> core, test kit -> core, stores never on each other;
 * within core internal and memory -> spi -> the API's value types. The root is an argument so that the rules can be tried
 * on a small broken copy of the whole.
 */
final class Arrows {

    private static final Set<String> CORE = Set.of("", "spi", "memory", "internal");
    private static final Set<String> PROGRAMS = Set.of("tool", "benchmarks", "examples");
    private static final Set<String> NO_STORES =
            Set.of("", "spi", "internal", "testkit", "tool", "benchmarks", "examples", "micrometer", "spring");

    private final String root;

    Arrows(String root) {
        this.root = root;
    }

    ArchRule onlyTheEntranceKnowsTheEngine() {
        return noClasses()
                .that(are("not the entrance", type -> !isEntrance(type) && !isPart(type, "internal")))
                .should()
                .dependOnClassesThat(are("part of the engine", type -> isPart(type, "internal")))
                .because("the engine may change in every release: only the class Tenure opens it")
                .allowEmptyShould(true);
    }

    ArchRule valuesKnowNoStoreAndNoSpi() {
        return noClasses()
                .that(are("API value types", type -> isPart(type, "") && !isEntrance(type)))
                .should()
                .dependOnClassesThat(are("below the API", type -> isPart(type, "spi") || isPart(type, "memory")))
                .because("the SPI is written in terms of the API's values, not the other way round")
                .allowEmptyShould(true);
    }

    ArchRule spiKnowsNoStore() {
        return noClasses()
                .that(are("SPI", type -> isPart(type, "spi")))
                .should()
                .dependOnClassesThat(are("stores", this::isStore))
                .because("a store knows the SPI, never the other way round")
                .allowEmptyShould(true);
    }

    ArchRule engineKnowsNoStore() {
        return noClasses()
                .that(are("engine", type -> isPart(type, "internal")))
                .should()
                .dependOnClassesThat(are("stores", this::isStore))
                .because("the engine sees a store through the SPI only")
                .allowEmptyShould(true);
    }

    ArchRule nothingBelowKnowsTheEntrance() {
        return noClasses()
                .that(are(
                        "below the entrance", type -> isStore(type) || isPart(type, "spi") || isPart(type, "internal")))
                .should()
                .dependOnClassesThat(are("the entrance", this::isEntrance))
                .because("Tenure puts them together: knowing it back would close a circle")
                .allowEmptyShould(true);
    }

    ArchRule coreKnowsNothingElse() {
        return classes()
                .that(are("core", this::isCore))
                .should()
                .onlyDependOnClassesThat(are(
                        "core, the JDK or null annotations",
                        type -> isCore(type)
                                || type.getPackageName().startsWith("java.")
                                || type.getPackageName().equals("org.jspecify.annotations")
                                || type.isPrimitive()
                                || type.isArray()))
                .because("core has no run-time dependency")
                .allowEmptyShould(true);
    }

    ArchRule storesKnowNoOtherStore() {
        return classes()
                .that(are("stores", this::isStore))
                .should(new ArchCondition<>("not depend on another store") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                            JavaClass target = dependency.getTargetClass().getBaseComponentType();
                            if (isStore(target) && !partOf(target).equals(partOf(type))) {
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                            }
                        }
                    }
                })
                .because("whoever uses one store carries no other")
                .allowEmptyShould(true);
    }

    ArchRule testKitKnowsCoreOnly() {
        return noClasses()
                .that(are("test kit", type -> isPart(type, "testkit")))
                .should()
                .dependOnClassesThat(are(
                        "ours, but neither core nor test kit",
                        type -> isOurs(type)
                                && !isPart(type, "testkit")
                                && (!isCore(type) || isPart(type, "internal"))))
                .because("the kit proves any store, so it knows none")
                .allowEmptyShould(true);
    }

    ArchRule nobodyKnowsTheTestKit() {
        return noClasses()
                .that(are("main code outside the test kit", type -> isOurs(type) && !isPart(type, "testkit")))
                .should()
                .dependOnClassesThat(are("test kit", type -> isPart(type, "testkit")))
                .because("only tests use what is made for tests")
                .allowEmptyShould(true);
    }

    ArchRule librariesKnowNoProgram() {
        return noClasses()
                .that(are("libraries", type -> isOurs(type) && !isProgram(type)))
                .should()
                .dependOnClassesThat(are("programs", this::isProgram))
                .because("programs stand at the end of the arrows")
                .allowEmptyShould(true);
    }

    private boolean isEntrance(JavaClass type) {
        String entrance = root + ".Tenure";
        return type.getName().equals(entrance) || type.getName().startsWith(entrance + "$");
    }

    private boolean isStore(JavaClass type) {
        return isOurs(type) && !NO_STORES.contains(partOf(type));
    }

    private boolean isProgram(JavaClass type) {
        return isOurs(type) && PROGRAMS.contains(partOf(type));
    }

    private boolean isCore(JavaClass type) {
        return isOurs(type) && CORE.contains(partOf(type));
    }

    private boolean isPart(JavaClass type, String part) {
        return isOurs(type) && partOf(type).equals(part);
    }

    private boolean isOurs(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) || name.startsWith(root + ".");
    }

    /** The first package below the root, empty for the root itself: {@code io.tenure.redis.x} is of {@code redis}. */
    private String partOf(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(root)) {
            return "";
        }
        String below = name.substring(root.length() + 1);
        int dot = below.indexOf('.');
        return dot < 0 ? below : below.substring(0, dot);
    }

    private static DescribedPredicate<JavaClass> are(String description, Predicate<JavaClass> predicate) {
        return describe(description, type -> predicate.test(type.getBaseComponentType()));
    }
}
