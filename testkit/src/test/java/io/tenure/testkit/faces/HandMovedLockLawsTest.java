package io.tenure.testkit.faces;

class HandMovedLockLawsTest extends LockLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
