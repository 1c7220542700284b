package io.tenure.jdbc;

import io.tenure.StoreException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells people what failed, which of our tables it is about, and what to do. Leases and fences fail in the same ways; but
 * the statements at a fence are the user's, who has to run a transaction again himself, and whose mistakes nobody but he can
 * mend. Immutable.
 */
record FailureTeller(
        String table, String file, String maker, String rights, String again, SqlFault unknown, Words words) {
    private static final Pattern SECRET = Pattern.compile("(?i)(password|pwd|secret)=[^&;,\\s\"')]*");

    /** What is said of a fault. */
    @FunctionalInterface
    interface Words {
        /**
         * The words, with what is filled in later in braces.
         *
         * @param telling what told of it; null when no database did
         */
        String of(SqlFault fault, @Nullable SQLException telling);
    }

    /** @param file where the table is written down */
    static FailureTeller ofLeases(String table, String file) {
        return new FailureTeller(
                table,
                file,
                "JdbcLeaseStore.createSchema()",
                "SELECT, INSERT, UPDATE and DELETE",
                "; it is tried again",
                SqlFault.UNKNOWN,
                (fault, telling) -> fault.advice());
    }

    static FailureTeller ofFence(String table) {
        return new FailureTeller(
                table,
                "schema/fence-*.sql",
                "JdbcFence.createSchema",
                "SELECT, INSERT and UPDATE",
                ". That says nothing about the token: roll back, and retry the transaction",
                SqlFault.REFUSED,
                (fault, telling) -> fault.advice());
    }

    /** Of a statement of the user's at a fence: most likely it is that statement which is to blame. */
    static FailureTeller ofUpdates(String table, UpdateWords words) {
        return new FailureTeller(
                table,
                "schema/fence-*.sql",
                "JdbcFence.createSchema",
                "SELECT, INSERT and UPDATE",
                ". Nothing was written, which says nothing about the token: call it again",
                SqlFault.REFUSED,
                words);
    }

    /** @param what what was done, and to which name: {@code "acquiring 'x'"} */
    StoreException during(String what, Exception cause) {
        SqlFault fault = SqlFault.UNKNOWN;
        SQLException telling = null;
        for (Throwable each : SqlErrors.chain(cause)) {
            if (each instanceof SQLException sql) {
                SqlFault told = SqlFault.of(sql);
                if (telling == null || telling instanceof NotSentException || told.outweighs(fault)) {
                    fault = told;
                    telling = sql;
                }
            }
        }
        boolean sent = SqlErrors.chain(cause).stream().noneMatch(NotSentException.class::isInstance);
        SqlFault meant = sent ? fault : fault.beforeAnythingWasSent();
        if (meant == SqlFault.UNKNOWN && telling != null) {
            meant = unknown;
        }
        String message = "Failed " + what + ": " + filledIn(words.of(meant, telling))
                + (sent ? "" : ". Nothing was sent") + " [" + told(telling, cause) + "]";
        Throwable kept = isSecret(cause) ? without(cause, telling) : ofOthers(cause);
        return meant.passes() ? StoreException.passing(message, kept) : StoreException.permanent(message, kept);
    }

    private static Throwable ofOthers(Exception cause) {
        return cause instanceof NotSentException && cause.getCause() != null ? cause.getCause() : cause;
    }

    private String filledIn(String advice) {
        return advice.replace("{table}", table)
                .replace("{file}", file)
                .replace("{maker}", maker)
                .replace("{rights}", rights)
                .replace("{again}", again);
    }

    private static String told(@Nullable SQLException telling, Exception cause) {
        Throwable teller = telling == null ? cause : telling;
        String text = cleaned(String.valueOf(teller.getMessage())).strip();
        return telling == null
                ? cause.getClass().getSimpleName() + ": " + text
                : (SqlErrors.stateOf(telling).isEmpty() ? "" : SqlErrors.stateOf(telling) + ": ") + text;
    }

    private static boolean isSecret(Throwable cause) {
        return SqlErrors.chain(cause).stream()
                .anyMatch(each ->
                        SECRET.matcher(String.valueOf(each.getMessage())).find());
    }

    /** Some drivers put the URL that they were given into what they throw. */
    private static SQLException without(Throwable cause, @Nullable SQLException telling) {
        SQLException clean = new SQLException(
                cleaned(String.valueOf(cause.getMessage())),
                telling == null ? null : telling.getSQLState(),
                telling == null ? 0 : telling.getErrorCode());
        clean.setStackTrace(cause.getStackTrace());
        return clean;
    }

    /** The text without passwords, as they stand in URLs. */
    static String cleaned(String text) {
        return SECRET.matcher(text).replaceAll("$1=***");
    }
}
