package io.tenure.testkit.faces;

class HandMovedElectorLawsTest extends ElectorLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
