package io.tenure.verification.arrows.testkit;

import io.tenure.verification.arrows.memory.MemoryStore;

/** Keeps every rule. */
public final class Kit {
    final MemoryStore store = new MemoryStore();
}
