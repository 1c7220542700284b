package io.tenure.verification;

import static java.util.function.Predicate.not;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The checkout that this module lies in: its modules, their sources and their compiled main classes. Modules are found,
 * not listed, so that a new one is judged from its first class on.
 */
final class SourceTree {

    private static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .normalize()
            .getParent();

    /** Programs, and what is never published: the rules for libraries do not bind them, the arrows do. */
    private static final Set<String> PROGRAMS = Set.of("tool", "benchmarks", "examples", "verification");

    private SourceTree() {}

    /** The folder that everything lies in. */
    static Path root() {
        return ROOT;
    }

    /** Every Markdown file that is not built; hidden folders are left out, except the one of GitHub's own files. */
    static List<Path> documents() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                            .map(Path::toString)
                            .noneMatch(
                                    name -> name.equals("target") || name.startsWith(".") && !name.equals(".github")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of all modules with Java sources, of libraries and programs alike. */
    static List<String> modules() {
        try (Stream<Path> children = Files.list(ROOT)) {
            return children.filter(child -> Files.exists(child.resolve("pom.xml")))
                    .filter(child -> Files.isDirectory(child.resolve("src")))
                    .map(child -> child.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The modules that users put on their class path. */
    static List<String> libraries() {
        return modules().stream().filter(not(PROGRAMS::contains)).toList();
    }

    /** Where the compiler put the main classes of {@code module}. */
    static Path classesOf(String module) {
        return ROOT.resolve(module).resolve("target/classes");
    }

    /** Whether {@code module} has main code of its own. */
    static boolean hasMainCode(String module) {
        return Files.isDirectory(ROOT.resolve(module).resolve("src/main/java"));
    }

    /** The compiled main classes of the given modules; those without main code count as empty. */
    static JavaClasses mainClassesOf(List<String> modules) {
        List<Path> folders = modules.stream()
                .filter(SourceTree::hasMainCode)
                .map(SourceTree::classesOf)
                .toList();
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalStateException(
                        folder + " is missing: build the other modules too (mvn -pl" + " verification -am verify)");
            }
        }
        return new ClassFileImporter().importPaths(folders);
    }

    /** Every Java file below {@code src/main} of the given modules. */
    static List<Path> mainSourcesOf(List<String> modules) {
        return modules.stream()
                .map(module -> ROOT.resolve(module).resolve("src/main"))
                .flatMap(folder -> javaFilesBelow(folder).stream())
                .toList();
    }

    /** Every Java file of every module, tests included. */
    static List<Path> allSources() {
        return modules().stream()
                .map(module -> ROOT.resolve(module).resolve("src"))
                .flatMap(folder -> javaFilesBelow(folder).stream())
                .toList();
    }

    /** The source of a class of this module's tests. */
    static Path testSourceOf(String className) {
        return ROOT.resolve("verification/src/test/java").resolve(className.replace('.', '/') + ".java");
    }

    /** {@code file} as it is written in an allow-list: from the root, with slashes. */
    static String nameOf(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return (absolute.startsWith(ROOT) ? ROOT.relativize(absolute) : absolute)
                .toString()
                .replace('\\', '/');
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> javaFilesBelow(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
