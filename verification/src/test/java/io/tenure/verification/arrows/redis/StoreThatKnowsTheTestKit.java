package io.tenure.verification.arrows.redis;

import io.tenure.verification.arrows.testkit.Kit;

final class StoreThatKnowsTheTestKit {
    final Object kit = new Kit();
}
