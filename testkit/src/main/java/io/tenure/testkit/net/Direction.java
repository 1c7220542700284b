package io.tenure.testkit.net;

/** One of the two directions of a {@link TcpRelay}. */
public enum Direction {
    /** From clients to the server: requests. */
    TO_SERVER,
    /** From the server to its clients: answers, and what it pushes. */
    TO_CLIENT
}
