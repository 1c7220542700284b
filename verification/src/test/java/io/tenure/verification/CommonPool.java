package io.tenure.verification;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.SubmissionPublisher;

/** The ways onto the common pool, most of which do not name it. */
final class CommonPool {
    /** They complete on a timer thread of the whole JVM, and with them whatever follows. */
    private static final Set<String> OF_THE_JVMS_TIMER = Set.of("orTimeout", "completeOnTimeout", "delayedExecutor");

    private CommonPool() {}

    /** A stage that is left to choose where, or on whose timer, something runs. */
    static boolean isChosenByStage(JavaAccess<?> access) {
        String name = access.getName();
        return access.getTargetOwner().isAssignableTo(CompletionStage.class)
                && (name.endsWith("Async") && !takesExecutor(access)
                        || OF_THE_JVMS_TIMER.contains(name)
                        || name.equals("defaultExecutor"));
    }

    /** Everything else that runs there. */
    static boolean isUsedBy(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getName();
        return owner.isEquivalentTo(ForkJoinPool.class) && name.equals("commonPool")
                || owner.isAssignableTo(ForkJoinTask.class) && (name.equals("fork") || name.equals("invokeAll"))
                || owner.isAssignableTo(Collection.class) && name.equals("parallelStream")
                || owner.getPackageName().equals("java.util.stream") && name.equals("parallel")
                || owner.getName().equals("java.util.stream.StreamSupport") && takes(access, boolean.class)
                || owner.getName().equals("java.util.Arrays") && name.startsWith("parallel")
                || owner.isAssignableTo(ConcurrentHashMap.class) && startsWithThreshold(access)
                || owner.isAssignableTo(SubmissionPublisher.class) && name.equals("<init>") && !takesExecutor(access);
    }

    /** The bulk operations of the map: their first parameter says from how many entries on they fork. */
    private static boolean startsWithThreshold(JavaAccess<?> access) {
        List<JavaClass> parameters = parametersOf(access);
        return parameters.size() > 1 && parameters.get(0).isEquivalentTo(long.class);
    }

    private static boolean takesExecutor(JavaAccess<?> access) {
        return parametersOf(access).stream().anyMatch(type -> type.isAssignableTo(Executor.class));
    }

    private static boolean takes(JavaAccess<?> access, Class<?> type) {
        return parametersOf(access).stream().anyMatch(parameter -> parameter.isEquivalentTo(type));
    }

    private static List<JavaClass> parametersOf(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target ? target.getRawParameterTypes() : List.of();
    }
}
