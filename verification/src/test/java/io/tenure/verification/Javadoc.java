package io.tenure.verification;

import static java.util.function.Predicate.not;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What the types that users see say of themselves, and the rules for it. Packages called internal are left out. */
final class Javadoc {
    private static final Pattern OF_THREADS = Pattern.compile("(?i)\\bthread|\\bimmutable\\b");
    /** Suites that JUnit runs, and nobody else. */
    private static final Pattern SUITE = Pattern.compile(".*(Contract|Laws)");

    private static final Pattern CODE = Pattern.compile(
            "(?:<!-- snippet: (\\S+#\\S+) -->\\s*)?(?:<p>)?<pre>\\{@code\\n(.*?)\\n[ \\t]*\\}</pre>", Pattern.DOTALL);

    private final List<Type> types = new ArrayList<>();

    private Javadoc() {}

    private record Type(String name, ClassTree tree, String comment) {}

    /** What is said in {@code sources}. */
    static Javadoc of(List<Path> sources) {
        Javadoc javadoc = new Javadoc();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> shown = sources.stream()
                    .filter(file -> !file.toString().replace('\\', '/').contains("/internal/"))
                    .filter(not(file -> file.endsWith("module-info.java")))
                    .toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(shown));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                javadoc.new Reader(docs).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return javadoc;
    }

    /** The types that users see. */
    List<String> names() {
        return types.stream().map(Type::name).toList();
    }

    /** Types that do not say which threads may use them, or which thread calls them. Values need not. */
    List<String> silentOnThreads() {
        return types.stream()
                .filter(type -> !isValue(type.tree()))
                .filter(type -> !SUITE.matcher(type.tree().getSimpleName()).matches())
                .filter(type -> !OF_THREADS.matcher(type.comment()).find())
                .map(type -> type.name() + " does not say whether it is thread-safe, or which thread calls it")
                .toList();
    }

    private static boolean isValue(ClassTree type) {
        return type.getKind() == Tree.Kind.RECORD
                || type.getKind() == Tree.Kind.ENUM
                || type.getModifiers().getFlags().contains(Modifier.SEALED)
                || type.getSimpleName().toString().endsWith("Exception");
    }

    /** Code that is no region of code that is compiled, or differs from it. */
    List<String> snippets(Regions regions) {
        List<String> broken = new ArrayList<>();
        for (Type type : types) {
            code(type)
                    .forEach(code -> complaint(code, regions)
                            .ifPresent(text -> broken.add("The code in the comment of " + type.name() + " " + text)));
        }
        return broken;
    }

    private static Optional<String> complaint(MatchResult code, Regions regions) {
        String name = code.group(1);
        if (name == null) {
            return Optional.of("has no marker: show a region of code that is compiled, by a line"
                    + " <!-- snippet: path/from/root/File.java#name --> before it");
        }
        Optional<String> text = regions.text(name);
        if (text.isEmpty()) {
            return Optional.of("shows " + name + ", which is no region");
        }
        return text.get().strip().equals(code.group(2).stripIndent().strip())
                ? Optional.empty()
                : Optional.of("differs from " + name);
    }

    /** The regions that are shown. */
    Set<String> regionsShown() {
        Set<String> shown = new TreeSet<>();
        types.forEach(type -> code(type).forEach(code -> {
            if (code.group(1) != null) {
                shown.add(code.group(1));
            }
        }));
        return shown;
    }

    private static List<MatchResult> code(Type type) {
        Matcher code = CODE.matcher(type.comment());
        return code.results().toList();
    }

    /** Collects public types in public types; what is in an interface is public. */
    private final class Reader extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final DocTrees docs;

        Reader(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            TreePath path = getCurrentPath();
            Tree around = path.getParentPath().getLeaf();
            boolean inInterface = around.getKind() == Tree.Kind.INTERFACE;
            if (!inInterface && !type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                return null; // nor does anybody see what is in it
            }
            String comment = docs.getDocComment(path);
            types.add(new Type(nameOf(path), type, comment == null ? "" : comment));
            return super.visitClass(type, none);
        }

        private static String nameOf(TreePath path) {
            ClassTree type = (ClassTree) path.getLeaf();
            TreePath around = path.getParentPath();
            String before = around.getLeaf() instanceof ClassTree
                    ? nameOf(around)
                    : String.valueOf(path.getCompilationUnit().getPackageName());
            return before + "." + type.getSimpleName();
        }
    }
}
