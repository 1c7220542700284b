package io.tenure.verification;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A program of its own process: runs the tests named after some laws, and prints what becomes of each, as {@code BEGUN},
 * {@code PASSED} or {@code FAILED} and {@code Class.method}. Whoever reads it can stop it when a test hangs.
 */
final class LawRun implements TestExecutionListener {
    /** Tests that need a server which is not there would fail whatever is broken. */
    private static final String UNEQUIPPED = "pgbouncer";

    /** This many failing tests of a law say enough; each may wait long for what does not come. */
    private static final int ENOUGH = 3;

    private final PrintStream out;
    private final Set<String> prefixes;
    private final Set<String> failed = new HashSet<>();

    private LawRun(PrintStream out, Set<String> prefixes) {
        this.out = out;
        this.prefixes = prefixes;
    }

    /** @param args the classes of the tests, and how the names of tests begin */
    public static void main(String[] args) {
        List<ClassSelector> classes = Arrays.stream(args[0].split(","))
                .map(DiscoverySelectors::selectClass)
                .toList();
        Set<String> prefixes = Set.of(args[1].split(","));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes)
                .filters(TagFilter.excludeTags(UNEQUIPPED))
                .filters((PostDiscoveryFilter) descriptor -> FilterResult.includedIf(descriptor
                        .getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(source -> ((MethodSource) source).getMethodName())
                        .filter(name -> prefixes.stream().anyMatch(name::startsWith))
                        .isPresent()))
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .build();
        PrintStream out = System.out;
        System.setOut(System.err);
        LauncherFactory.create().execute(request, new LawRun(out, prefixes));
        end();
    }

    /** Whatever a broken test left behind, servers too. */
    private static void end() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            out.println("BEGUN " + nameOf(test));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            out.println((result.getStatus() == Status.SUCCESSFUL ? "PASSED " : "FAILED ") + nameOf(test));
            if (result.getStatus() != Status.SUCCESSFUL && failed.add(nameOf(test)) && isEnough()) {
                end();
            }
        } else if (result.getStatus() != Status.SUCCESSFUL) {
            out.println("BROKEN " + test.getUniqueId());
        }
        result.getThrowable().ifPresent(Throwable::printStackTrace);
    }

    private boolean isEnough() {
        return prefixes.stream()
                .allMatch(prefix -> failed.stream()
                                .filter(name -> name.contains("." + prefix))
                                .count()
                        >= ENOUGH);
    }

    /** The outermost class, which is the one that has the stage or the store, and the method. */
    private static String nameOf(TestIdentifier test) {
        String type = UniqueId.parse(test.getUniqueId()).getSegments().stream()
                .filter(segment -> segment.getType().equals("class"))
                .map(UniqueId.Segment::getValue)
                .findFirst()
                .orElse("?");
        String method = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse("?");
        return type.substring(type.lastIndexOf('.') + 1) + "." + method;
    }
}
