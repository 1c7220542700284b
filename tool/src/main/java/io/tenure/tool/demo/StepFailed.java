package io.tenure.tool.demo;

/** A step of the demo could not be finished: what was waited for did not happen. */
public final class StepFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public StepFailed(String message) {
        super(message);
    }

    public StepFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
