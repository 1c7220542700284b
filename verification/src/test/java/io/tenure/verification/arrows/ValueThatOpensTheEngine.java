package io.tenure.verification.arrows;

import io.tenure.verification.arrows.internal.Engine;

final class ValueThatOpensTheEngine {
    Object engine() {
        return new Engine();
    }
}
