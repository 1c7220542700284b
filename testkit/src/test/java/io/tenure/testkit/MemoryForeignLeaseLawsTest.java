package io.tenure.testkit;

class MemoryForeignLeaseLawsTest extends ForeignLeaseContract {
    @Override
    protected MemoryServer openServer() {
        return new MemoryServer();
    }
}
