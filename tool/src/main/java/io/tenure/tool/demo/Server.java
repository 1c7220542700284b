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

    /** What to say of a URL that is none of a {@code product} of this {@code form}, without repeating it. */
    public static StepFailed notOne(String url, String product, String form) {
        String message = VARIABLE + " names no " + product + ": give it the form " + form;
        String store = storeOf(url);
        return new StepFailed(store.isEmpty() ? message : message + ", or call the demo with --store " + store);
    }

    private static String storeOf(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return "postgres";
        }
        if (url.startsWith("jdbc:h2:")) {
            return "h2";
        }
        return url.startsWith("redis") ? "redis" : "";
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
