package io.tenure.testkit.faces;

class HandMovedTenureLawsTest extends TenureLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }
}
