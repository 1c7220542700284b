package io.tenure.testkit;

class MemoryLeaseStoreLawsTest extends LeaseStoreContract {
    @Override
    protected LeaseServer openServer() {
        return new MemoryServer();
    }
}
