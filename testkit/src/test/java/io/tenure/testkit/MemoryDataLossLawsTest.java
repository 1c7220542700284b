package io.tenure.testkit;

class MemoryDataLossLawsTest extends DataLossContract {
    @Override
    protected MemoryServer openServer() {
        return new MemoryServer();
    }
}
