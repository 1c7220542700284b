package io.tenure.verification.arrows.redis;

import io.tenure.verification.arrows.tool.Main;

final class StoreThatKnowsAProgram {
    final Object main = new Main();
}
