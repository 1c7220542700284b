package io.tenure.testkit.faces;

class HandMovedDrainLawsTest extends DrainLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
