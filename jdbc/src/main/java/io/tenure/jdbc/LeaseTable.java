package io.tenure.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The table of leases in the words of one database. Thread-safe. */
final class LeaseTable {
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    private final Dialect dialect;
    private final String qualified;
    private final String index;
    /** Statements are long: to put each together anew took as long as the database took for half of it. */
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    private LeaseTable(Dialect dialect, String qualified, String index) {
        this.dialect = dialect;
        this.qualified = qualified;
        this.index = index;
    }

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

    Dialect dialect() {
        return dialect;
    }

    /** {@code sql} about this table; always the same text, to be a constant: it is kept. */
    String in(String sql) {
        String text = texts.get(sql);
        return text == null ? texts.computeIfAbsent(sql, this::filledIn) : text;
    }

    private String filledIn(String sql) {
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
            return Arrays.stream(filledIn(COMMENT.matcher(text).replaceAll("")).split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
