package io.tenure.redis.cases;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The processes that a test starts, each a JVM of its own with this one's classes; killed after the test. */
final class Children implements AfterEachCallback {
    private final List<Child> children = new ArrayList<>();

    /** Starts {@code main} with {@code args}. Ending its standard input must end it, should this process die first. */
    Child start(Class<?> main, Object... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Many of these run beside each other on few cores.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                classPath(main),
                main.getName()));
        List.of(args).forEach(arg -> command.add(arg.toString()));
        try {
            Child child = new Child(main.getSimpleName() + "-" + (children.size() + 1), command);
            children.add(child);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        children.forEach(Child::kill);
        children.clear();
    }

    /** Whether this JVM has its classes from modules, from a class path, or from both, a child has a class path. */
    private static String classPath(Class<?> main) {
        Set<String> path = new LinkedHashSet<>();
        // A class that is patched into a module says that it comes from there, but its file says where it is.
        String file = main.getName().replace('.', '/') + ".class";
        String url = Objects.requireNonNull(main.getResource("/" + file)).getPath();
        path.add(url.substring(0, url.length() - file.length()));
        for (String property : List.of("jdk.module.path", "java.class.path", "surefire.test.class.path")) {
            String entries = System.getProperty(property, "");
            path.addAll(List.of(entries.split(File.pathSeparator)));
        }
        path.remove("");
        return String.join(File.pathSeparator, path);
    }
}
