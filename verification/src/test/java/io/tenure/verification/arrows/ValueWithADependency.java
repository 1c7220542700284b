package io.tenure.verification.arrows;

import org.assertj.core.api.Assertions;

final class ValueWithADependency {
    void check() {
        Assertions.assertThat(1).isOne();
    }
}
