package io.tenure;

import java.util.Objects;

/**
 * A fence refused a token: there is a newer one, or this one was never claimed there or never minted. Nothing was written.
 * The caller must stop: with a newer one there is, it no longer holds the lease, whatever its clock says. Immutable.
 */
public final class StaleTokenException extends TenureException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final long token;
    private final long mark;

    /** For {@code token} of {@code name}, refused by a fence that stands at {@code mark} (0 when it has none). */
    public StaleTokenException(String name, long token, long mark) {
        super("The fence '" + name + "' refused token " + token + ": " + why(token, mark)
                + " Nothing was written; stop working under it.");
        this.name = Objects.requireNonNull(name, "name");
        this.token = token;
        this.mark = mark;
    }

    private static String why(long token, long mark) {
        if (!Tokens.isValid(token)) {
            return "no store mints it, tokens are from 1 to 2^53 - 1.";
        }
        if (token <= mark) {
            return "it stands at " + mark + ", so a newer holder was elected, or the token was burnt.";
        }
        return (mark == 0 ? "it has no mark" : "it stands at " + mark + ", which is lower")
                + ", so this token was never claimed here, or never minted, or the data was lost. A fence that is not the"
                + " lease store's own has to be claimed first: by ElectorOptions.claims(fence), or by fence.claim(token).";
    }

    /** The name of the lease that the fence belongs to. */
    public String name() {
        return name;
    }

    /** The token that was refused. */
    public long token() {
        return token;
    }

    /** The highest token that the fence knows; 0 when it has none. */
    public long mark() {
        return mark;
    }
}
