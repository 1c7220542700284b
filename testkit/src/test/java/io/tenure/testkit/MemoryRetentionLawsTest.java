package io.tenure.testkit;

class MemoryRetentionLawsTest extends RetentionContract {
    @Override
    protected MemoryServer openServer() {
        return new MemoryServer();
    }
}
