package io.tenure.testkit.faces;

import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;

class MemoryThreadLawsTest extends ThreadLaws {
    @Override
    protected Stage openStage() {
        return new RealTimeStage(MemoryLeaseStore.create()::peer, Duration.ofSeconds(3));
    }
}
