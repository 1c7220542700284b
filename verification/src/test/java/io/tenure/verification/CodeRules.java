package io.tenure.verification;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Rules for the main code of libraries, read from compiled classes. Calls and method references both count. */
final class CodeRules {

    static final int MOST_PUBLIC_METHODS = 15;

    static final ArchRule NO_SYNCHRONIZED_METHODS = methods()
            .should()
            .notHaveModifier(JavaModifier.SYNCHRONIZED)
            .because("a monitor cannot be timed or interrupted: use a ReentrantLock or an atomic")
            .allowEmptyShould(true);

    static final ArchRule NO_WALL_CLOCK = classes()
            .should(neverTouch("the wall clock", CodeRules::readsWallClock))
            .because("a client's wall clock jumps: Timeline gives monotonic time (law 11)")
            .allowEmptyShould(true);

    static final ArchRule NO_PRINTING = classes()
            .should(neverTouch("standard output or error", CodeRules::prints))
            .because("a library tells its user by value, exception or event")
            .allowEmptyShould(true);

    static final ArchRule NO_ASYNC_WITHOUT_EXECUTOR = classes()
            .should(neverTouch("a stage's default executor or timer", CommonPool::isChosenByStage))
            .because("without an executor a stage's work runs on the common pool, on few cores on a thread a task, and"
                    + " late, where nobody waits for it: name an executor; Timeline keeps the time")
            .allowEmptyShould(true);

    static final ArchRule NO_COMMON_POOL = classes()
            .should(neverTouch("the common pool", CommonPool::isUsedBy))
            .because("others' work stalls ours there: name an executor")
            .allowEmptyShould(true);

    static final ArchRule NO_LOGGING = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.util.logging..",
                    "org.slf4j..",
                    "org.apache.logging..",
                    "org.apache.commons.logging..",
                    "org.apache.log4j..",
                    "io.netty.util.internal.logging..",
                    "reactor.util..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.System\\$Logger.*")
            .because("core and stores log nothing: they report to the observer")
            .allowEmptyShould(true);

    static final ArchRule NO_MUTABLE_STATICS = fields().that()
            .areStatic()
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .should(beConstant())
            .because("state that a whole JVM shares belongs to nobody")
            .allowEmptyShould(true);

    static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED = classes()
            .that()
            .doNotHaveSimpleName("module-info")
            .should(liveInANullMarkedPackage())
            .because("a null that the types do not announce is a defect")
            .allowEmptyShould(true);

    private static final Set<String> CLOCK_TYPES = Set.of(
            "java.time.Instant",
            "java.time.LocalDate",
            "java.time.LocalTime",
            "java.time.LocalDateTime",
            "java.time.OffsetDateTime",
            "java.time.ZonedDateTime",
            "java.time.OffsetTime",
            "java.time.Year",
            "java.time.YearMonth");

    private CodeRules() {}

    /** Types that offer too much and have no reason to. */
    static ArchRule fewPublicMethods(Map<String, String> allowed) {
        return classes()
                .should(new ArchCondition<JavaClass>("have at most " + MOST_PUBLIC_METHODS + " public methods") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        long count = publicMethodsOf(type);
                        if (count > MOST_PUBLIC_METHODS && !allowed.containsKey(type.getName())) {
                            events.add(violated(type, type.getName() + " has " + count + " public methods"));
                        }
                    }
                })
                .because("a type that does more is two types; a reason to keep it whole goes into"
                        + " Allowed.MANY_PUBLIC_METHODS")
                .allowEmptyShould(true);
    }

    /** The public methods that {@code type} declares, without those that its kind or Object gives it. */
    static long publicMethodsOf(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(method -> !givenByLanguage(type, method))
                .count();
    }

    private static boolean givenByLanguage(JavaClass type, JavaMethod method) {
        String name = method.getName();
        List<JavaClass> parameters = method.getRawParameterTypes();
        if (parameters.isEmpty()) {
            return Set.of("hashCode", "toString").contains(name)
                    || type.isEnum() && name.equals("values")
                    || type.isRecord()
                            && type.tryGetField(name)
                                    .filter(CodeRules::isComponent)
                                    .isPresent();
        }
        String only = parameters.size() == 1 ? parameters.get(0).getName() : "";
        return name.equals("equals") && only.equals("java.lang.Object")
                || type.isEnum() && name.equals("valueOf") && only.equals("java.lang.String");
    }

    private static boolean isComponent(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.STATIC);
    }

    private static boolean readsWallClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return owner.equals("java.lang.System") && name.equals("currentTimeMillis")
                || CLOCK_TYPES.contains(owner) && name.equals("now")
                || owner.equals("java.time.Clock") && (name.startsWith("system") || name.startsWith("tick"))
                || owner.equals("java.util.Date") && name.equals("<init>") && takesNothing(access)
                || owner.equals("java.util.Calendar") && name.equals("getInstance");
    }

    private static boolean prints(JavaAccess<?> access) {
        String name = access.getName();
        return access.getTargetOwner().getName().equals("java.lang.System")
                        && (name.equals("out") || name.equals("err"))
                || name.equals("printStackTrace") && takesNothing(access);
    }

    private static boolean takesNothing(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getRawParameterTypes().isEmpty();
    }

    private static ArchCondition<JavaClass> neverTouch(String what, Predicate<JavaAccess<?>> touches) {
        return new ArchCondition<>("never touch " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getAccessesFromSelf().stream()
                        .filter(touches)
                        .forEach(access -> events.add(violated(type, access.getDescription())));
            }
        };
    }

    private static ArchCondition<JavaField> beConstant() {
        return new ArchCondition<>("be constant") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                JavaClass type = field.getRawType();
                boolean shared = !field.getModifiers().contains(JavaModifier.FINAL)
                        || isVisible(field) && type.isArray()
                        || type.getPackageName().equals("java.util.concurrent.atomic")
                        || type.isAssignableTo(ThreadLocal.class)
                        || !type.isInterface()
                                && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class));
                if (shared) {
                    events.add(violated(field, field.getFullName() + " can change or be changed"));
                }
            }
        };
    }

    /** A private array is as constant as the class that owns it keeps it. */
    private static boolean isVisible(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.PRIVATE);
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package annotated with @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")) {
                    events.add(violated(type, type.getName() + ": its package has no @NullMarked package-info.java"));
                }
            }
        };
    }
}
