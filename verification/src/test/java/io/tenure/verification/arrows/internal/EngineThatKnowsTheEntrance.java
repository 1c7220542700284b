package io.tenure.verification.arrows.internal;

import io.tenure.verification.arrows.Tenure;

final class EngineThatKnowsTheEntrance {
    Object open() {
        return new Tenure();
    }
}
