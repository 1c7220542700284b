package io.tenure.testkit;

class MemoryWakeupLawsTest extends WakeupContract {
    @Override
    protected MemoryServer openServer() {
        return new MemoryServer();
    }
}
