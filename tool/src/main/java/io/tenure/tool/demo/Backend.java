package io.tenure.tool.demo;

import java.util.List;

/** One kind of store that the demo can be played on. Stateless. */
public interface Backend {
    /** As the command line names it. */
    String name();

    /** What it runs on, for people: ends "on a real". */
    String product();

    /** The ways in which a leader writes through the fence, each one word. */
    List<String> ways();

    /** How its waiters learn of a release. */
    Pace pace();

    /**
     * A server of the user's.
     *
     * @throws StepFailed when {@code url} cannot be one, without repeating it
     */
    Server given(String url) throws StepFailed;

    /**
     * Starts a server of the demo's own on a free loopback port, which ends with {@code cleanup}.
     *
     * @throws StepFailed when none could be started, telling why and what to do
     */
    Server start(Cleanup cleanup) throws StepFailed, InterruptedException;

    /**
     * Connects to look directly.
     *
     * @throws StepFailed when {@code server} does not answer, without telling its password
     */
    Probe probe(Server server, Names names) throws StepFailed;

    /** What a contender works with, on the server at {@code url}. */
    Workplace workplace(String url, Names names);
}
