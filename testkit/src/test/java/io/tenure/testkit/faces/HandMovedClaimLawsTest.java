package io.tenure.testkit.faces;

class HandMovedClaimLawsTest extends ClaimLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
