package io.tenure.tool;

import io.tenure.tool.demo.Backend;
import io.tenure.tool.demo.redis.RedisBackend;
import io.tenure.tool.demo.sql.SqlBackend;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The stores that the demo can be played on, by their names. */
final class Backends implements ITypeConverter<Backend> {
    private static final List<Backend> ALL = List.of(new RedisBackend(), SqlBackend.postgres(), SqlBackend.h2());

    /** For picocli. */
    Backends() {}

    private static List<String> names() {
        return ALL.stream().map(Backend::name).toList();
    }

    @Override
    public Backend convert(String name) {
        return ALL.stream()
                .filter(backend -> backend.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "there is no '" + name + "'; there are " + String.join(", ", names())));
    }

    /** For picocli, which shows them in the help. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names() {
            super(names());
        }
    }
}
