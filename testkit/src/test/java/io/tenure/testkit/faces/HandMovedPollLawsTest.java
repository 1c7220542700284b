package io.tenure.testkit.faces;

class HandMovedPollLawsTest extends PollLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
