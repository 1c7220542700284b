package io.tenure.testkit.faces;

class HandMovedTermLawsTest extends TermLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
