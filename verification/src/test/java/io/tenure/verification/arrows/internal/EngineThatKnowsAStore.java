package io.tenure.verification.arrows.internal;

import io.tenure.verification.arrows.memory.MemoryStore;

final class EngineThatKnowsAStore {
    final Object store = new MemoryStore();
}
