package io.tenure.verification.arrows.spi;

import io.tenure.verification.arrows.memory.MemoryStore;

interface SpiThatKnowsAStore {
    MemoryStore store();
}
