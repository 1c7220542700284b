package io.tenure.verification.arrows.spi;

import io.tenure.verification.arrows.Value;

/** Keeps every rule. */
public interface Port {
    Value value();
}
