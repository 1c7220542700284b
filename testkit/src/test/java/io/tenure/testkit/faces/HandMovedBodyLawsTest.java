package io.tenure.testkit.faces;

class HandMovedBodyLawsTest extends BodyLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
