package io.tenure.testkit;

import io.tenure.StoreException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What becomes of one call of a {@link FaultyStore}. Immutable. */
public final class Fault {
    private static final Fault NONE = new Fault(Kind.NONE, null);
    private static final Fault DROP_REQUEST = new Fault(Kind.DROP_REQUEST, null);
    private static final Fault DROP_ANSWER = new Fault(Kind.DROP_ANSWER, null);
    private static final Fault HOLD_REQUEST = new Fault(Kind.HOLD_REQUEST, null);
    private static final Fault HOLD_ANSWER = new Fault(Kind.HOLD_ANSWER, null);
    private static final Fault DUPLICATE = new Fault(Kind.DUPLICATE, null);

    private final Kind kind;
    private final @Nullable StoreException failure;

    enum Kind {
        NONE,
        FAIL,
        FAIL_AFTERWARDS,
        DROP_REQUEST,
        DROP_ANSWER,
        HOLD_REQUEST,
        HOLD_ANSWER,
        DUPLICATE
    }

    private Fault(Kind kind, @Nullable StoreException failure) {
        this.kind = kind;
        this.failure = failure;
    }

    /** The call goes well. */
    public static Fault none() {
        return NONE;
    }

    /** The call fails, and never reached the store. */
    public static Fault fail(StoreException failure) {
        return new Fault(Kind.FAIL, Objects.requireNonNull(failure, "failure"));
    }

    /** The store does what it was asked, and the call fails all the same. */
    public static Fault failAfterwards(StoreException failure) {
        return new Fault(Kind.FAIL_AFTERWARDS, Objects.requireNonNull(failure, "failure"));
    }

    /** The request never reaches the store, and the call is never answered. */
    public static Fault dropRequest() {
        return DROP_REQUEST;
    }

    /** The store does what it was asked, and the call is never answered. */
    public static Fault dropAnswer() {
        return DROP_ANSWER;
    }

    /**
     * The request reaches the store when it is delivered ({@link Faults#deliverOldest()} and the like), even when its
     * caller has cancelled it meanwhile: it is under way, and nobody can take it back.
     */
    public static Fault holdRequest() {
        return HOLD_REQUEST;
    }

    /** The store does at once what it was asked, and its answer arrives when it is delivered. */
    public static Fault holdAnswer() {
        return HOLD_ANSWER;
    }

    /** The call goes well, and its request reaches the store a second time when that is delivered, unanswered. */
    public static Fault duplicate() {
        return DUPLICATE;
    }

    Kind kind() {
        return kind;
    }

    StoreException failure() {
        return Objects.requireNonNull(failure, "failure");
    }

    @Override
    public String toString() {
        return failure == null ? kind.name() : kind + "(" + failure.getMessage() + ")";
    }
}
