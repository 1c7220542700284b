package io.tenure.tool.demo;

/**
 * The server that the demo runs on.
 *
 * @param url where it is; may contain a password
 * @param origin where it came from, for people
 */
public record Server(String url, String origin) {
    /** The variable that names a server of the user's: an argument would show a password to everybody on the machine. */
    public static final String VARIABLE = "TENURE_URL";

    private static final String GIVEN = "given by " + VARIABLE;

    /** A server of the user's. */
    public static Server given(String url) {
        return new Server(url, GIVEN);
    }

    /** Whether it is a server of the user's, on which nothing may be left behind. */
    public boolean isGiven() {
        return origin.equals(GIVEN);
    }

    /** Without the URL. */
    @Override
    public String toString() {
        return "Server(" + origin + ")";
    }
}
