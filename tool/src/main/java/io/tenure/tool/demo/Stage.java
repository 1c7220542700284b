package io.tenure.tool.demo;

import java.time.Duration;
import java.util.Map;

/**
 * What every step needs.
 *
 * @param cast the contenders by their ids, in order
 */
record Stage(
        Map<String, ContenderProcess> cast,
        Inbox inbox,
        Backend backend,
        Probe probe,
        Names names,
        Screen screen,
        Report report) {

    /** How long a step waits for anything that should take milliseconds. */
    static final Duration BOUND = Duration.ofSeconds(10);

    ContenderProcess process(String id) throws StepFailed {
        ContenderProcess process = cast.get(id);
        if (process == null) {
            throw new StepFailed("There is no contender " + id);
        }
        return process;
    }

    /** Waits for what {@code id} says next of {@code verb} since {@code mark}. */
    Line await(String id, String verb, int mark) throws StepFailed, InterruptedException {
        return inbox.await("'" + verb + "' from " + id, mark, BOUND, line -> line.is(id, verb));
    }
}
