package io.tenure.testkit;

class MemoryFenceLawsTest extends FenceContract {
    @Override
    protected MemoryServer openServer() {
        return new MemoryServer();
    }
}
