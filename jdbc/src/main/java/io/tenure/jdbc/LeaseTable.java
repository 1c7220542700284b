package io.tenure.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The table of leases in the words of one database. */
record LeaseTable(Dialect dialect, String qualified, String index) {
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    static LeaseTable of(Dialect dialect, JdbcStoreOptions options) {
        String table = quoted(dialect, options.table());
        String qualified = options.schema()
                .map(schema -> quoted(dialect, schema) + "." + table)
                .orElse(table);
        return new LeaseTable(dialect, qualified, quoted(dialect, options.table() + "_forget_at"));
    }

    private static String quoted(Dialect dialect, String identifier) {
        return dialect == Dialect.MARIADB ? "`" + identifier + "`" : "\"" + identifier + "\"";
    }

    /** {@code sql} about this table. */
    String in(String sql) {
        return sql.replace("${table}", qualified).replace("${index}", index);
    }

    /** Where what makes this table is written down, for those who would rather run it themselves. */
    static String file(Dialect dialect) {
        return "schema/" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
    }

    List<String> schema() {
        String name = file(dialect);
        try (InputStream file = LeaseTable.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("The archive of Tenure lacks " + name);
            }
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(in(COMMENT.matcher(text).replaceAll("")).split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
