package io.tenure.verification.arrows.redis;

import io.tenure.verification.arrows.jdbc.JdbcStore;

final class StoreThatKnowsAnother {
    JdbcStore[] others() {
        return new JdbcStore[0];
    }
}
