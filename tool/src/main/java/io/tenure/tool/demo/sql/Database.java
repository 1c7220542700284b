package io.tenure.tool.demo.sql;

import io.tenure.tool.demo.Pace;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What the databases differ in, as far as the demo has to know. */
enum Database {
    POSTGRES(
            "postgres",
            "PostgreSQL",
            "jdbc:postgresql:",
            "jdbc:postgresql://localhost:5432/database?user=me&password=secret",
            "clock_timestamp()",
            Pace.PUSHED) {
        @Override
        void setName(PreparedStatement statement, int index, String name) throws SQLException {
            statement.setString(index, name);
        }
    },
    H2(
            "h2",
            "H2",
            "jdbc:h2:tcp:",
            "jdbc:h2:tcp://localhost:9092/database;USER=me;PASSWORD=secret",
            "CURRENT_TIMESTAMP(6)",
            Pace.POLLED) {
        @Override
        void setName(PreparedStatement statement, int index, String name) throws SQLException {
            statement.setBytes(index, name.getBytes(StandardCharsets.UTF_8));
        }
    };

    private final String word;
    private final String product;
    private final String prefix;
    private final String form;
    private final String now;
    private final Pace pace;

    Database(String word, String product, String prefix, String form, String now, Pace pace) {
        this.word = word;
        this.product = product;
        this.prefix = prefix;
        this.form = form;
        this.now = now;
        this.pace = pace;
    }

    /** As the command line names it. */
    String word() {
        return word;
    }

    /** As its makers name it. */
    String product() {
        return product;
    }

    /** What a URL looks like. */
    String form() {
        return form;
    }

    /** The moment at which this is evaluated, in SQL. */
    String now() {
        return now;
    }

    Pace pace() {
        return pace;
    }

    /**
     * Whether {@code url} is one of a server, with credentials where no message shows them: drivers repeat what they cannot
     * read as host or port.
     */
    boolean accepts(String url) {
        return url.startsWith(prefix) && !url.split("[?;]", 2)[0].contains("@");
    }

    /** Puts the name of a lease into a statement, as the table has it. */
    abstract void setName(PreparedStatement statement, int index, String name) throws SQLException;
}
