package io.tenure.verification;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a module may show of itself. */
final class ModuleRules {

    private ModuleRules() {}

    /** The internal packages that a module exports or opens, to whomever. */
    static List<String> internalsShownBy(ModuleDescriptor module) {
        Stream<String> exported =
                module.exports().stream().map(export -> module.name() + " exports " + export.source());
        Stream<String> opened = module.opens().stream().map(open -> module.name() + " opens " + open.source());
        return Stream.concat(exported, opened)
                .filter(line -> line.matches(".*\\.internal(\\..*)?"))
                .sorted()
                .toList();
    }

    /** The descriptor among compiled classes. */
    static ModuleDescriptor descriptorIn(Path classes) {
        Path file = classes.resolve("module-info.class");
        try (InputStream in = Files.newInputStream(file)) {
            return ModuleDescriptor.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException("A library is a module: it has no " + file, e);
        }
    }
}
