package io.tenure.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.OptionalLong;

/** Fills in the parameters of a statement, one after another. */
final class Binding {
    private final PreparedStatement statement;
    private int last;

    Binding(PreparedStatement statement) {
        this.statement = statement;
    }

    Binding text(String value) throws SQLException {
        statement.setString(++last, value);
        return this;
    }

    /** For columns that keep text as its bytes. */
    Binding bytes(String value) throws SQLException {
        statement.setBytes(++last, value.getBytes(UTF_8));
        return this;
    }

    Binding number(long value) throws SQLException {
        statement.setLong(++last, value);
        return this;
    }

    Binding number(OptionalLong value) throws SQLException {
        if (value.isPresent()) {
            return number(value.getAsLong());
        }
        statement.setNull(++last, Types.BIGINT);
        return this;
    }

    Binding flag(boolean value) throws SQLException {
        statement.setBoolean(++last, value);
        return this;
    }
}
