package io.tenure.verification.arrows.memory;

import io.tenure.verification.arrows.Value;
import io.tenure.verification.arrows.spi.Port;

/** Keeps every rule. */
public final class MemoryStore implements Port {
    @Override
    public Value value() {
        return new Value();
    }
}
