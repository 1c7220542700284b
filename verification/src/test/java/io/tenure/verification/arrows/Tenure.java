package io.tenure.verification.arrows;

import io.tenure.verification.arrows.internal.Engine;

/** The entrance: the one class that may know the engine. */
public final class Tenure {
    /** A part of the entrance. */
    public static final class Builder {
        final Engine engine = new Engine();
    }
}
