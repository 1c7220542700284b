package io.tenure.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Makes the table of fences. Without state. */
final class FenceSchema {
    private FenceSchema() {}

    static void create(OwnConnection own, String table) throws SQLException {
        String ddl = text(Dialect.known(own.raw())).replace(JdbcFenceOptions.DEFAULT_TABLE, table);
        own.committing(connection -> {
            SchemaMaker.make(connection, table, List.of(ddl));
            return ddl;
        });
    }

    private static String text(Dialect dialect) {
        String file = "schema/fence-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream in = Objects.requireNonNull(FenceSchema.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
