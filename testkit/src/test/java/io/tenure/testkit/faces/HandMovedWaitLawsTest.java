package io.tenure.testkit.faces;

class HandMovedWaitLawsTest extends WaitLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
