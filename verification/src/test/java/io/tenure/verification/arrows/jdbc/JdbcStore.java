package io.tenure.verification.arrows.jdbc;

import io.tenure.verification.arrows.Value;

/** Keeps every rule. */
public final class JdbcStore {
    final Value value = new Value();
}
