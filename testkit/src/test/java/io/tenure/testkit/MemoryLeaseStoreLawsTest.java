package io.tenure.testkit;

// tag::javadoc
class MemoryLeaseStoreLawsTest extends LeaseStoreContract {
    @Override
    protected LeaseServer openServer() {
        return new MemoryServer(); // connect(), elapse(), shortTtl()
    }
}
// end::javadoc
