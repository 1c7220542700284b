package io.tenure.testkit.faces;

class HandMovedPushLawsTest extends PushLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
