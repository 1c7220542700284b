package io.tenure.testkit.faces;

class HandMovedEventLawsTest extends EventLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
