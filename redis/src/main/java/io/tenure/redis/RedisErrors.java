package io.tenure.redis;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells failures that pass by themselves from those that somebody has to mend. Thread-safe, without state. */
public final class RedisErrors {
    // Redis 6 puts text of its own around the error of a script, and once more around one that it raises itself: when
    // it may not run a command of the script. From 7 on the code comes first again.
    private static final Pattern IN_SCRIPT =
            Pattern.compile("ERR Error running script \\(call to f_[0-9a-f]+\\): @\\w+:\\d+: ");
    private static final Pattern BEFORE_COMMAND = Pattern.compile("@user_script: ?\\d+: -?");
    private static final Pattern REFUSED = Pattern.compile("permissions to run the '([^']+)' command");
    private static final Pattern CODE = Pattern.compile("([A-Z][A-Z0-9]+)(?: .*)?", Pattern.DOTALL);

    private static final Set<String> PASSING = Set.of(
            "LOADING",
            "MISCONF",
            "OOM",
            "CLUSTERDOWN",
            "TRYAGAIN",
            "MASTERDOWN",
            "BUSY",
            "NOREPLICAS",
            "UNBLOCKED",
            "UNKILLABLE",
            "INPROG",
            "NOGOODSLAVE",
            "FAILOVER");

    private static final String ONE_NODE =
            "The server is a node of a cluster, and the lease lives on another one: connect to the"
                    + " cluster, by redis-cluster://host:port or with a client for clusters";

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry("WRONGPASS", "The server refused user name or password: check the credentials of the client"),
            Map.entry("NOAUTH", "The server asks for credentials: give the client user name and password"),
            Map.entry(
                    "NOPERM",
                    "The user lacks a right: on every server, replicas too, grant it the commands that the README lists"
                            + " under Rights, and the keys of the lease (ACL SETUSER)"),
            Map.entry("READONLY", "The server is a read-only replica: connect to its primary"),
            Map.entry("CROSSSLOT", "The keys of one script lie in several slots: give them one hash tag, {like-this}"),
            Map.entry("MOVED", ONE_NODE),
            Map.entry("ASK", ONE_NODE),
            Map.entry(
                    "WRONGTYPE",
                    "A key holds another type of value than the command needs: one of the caller's own writes, or, when"
                            + " something else uses its name, one of the lease; choose another key or name"),
            Map.entry("NOPROTO", "The server does not know the protocol version: set the client to RESP2"),
            Map.entry("DENIED", "The server is in protected mode: set a password or a bind address"),
            Map.entry(
                    "TENURENUMBER",
                    "The counter or mark at that key is no number: something else writes it; mend or delete"
                            + " it once no holder is left"),
            Map.entry(
                    "TENURELIMIT",
                    "The tokens at that key have reached 2^53: somebody wrote the counter or the mark; choose"
                            + " another name, or delete both once no holder is left"));

    private RedisErrors() {}

    /**
     * What an error reply of the server means, by the code that it starts with, or, of Redis 6, that stands where Redis
     * puts it when a command within a script fails. What a script of the user's raises by {@code error(text)} is never
     * taken for a code of the server's; a reply that the script makes up ({@code redis.error_reply}) looks like one.
     */
    public static StoreException ofReply(String reply) {
        String lead = reply.startsWith("-") ? reply.substring(1) : reply;
        Matcher script = IN_SCRIPT.matcher(lead);
        boolean inScript = script.lookingAt();
        String inner = inScript ? lead.substring(script.end()) : lead;
        Matcher raised = BEFORE_COMMAND.matcher(inner);
        boolean byServer = raised.lookingAt();
        String error = byServer ? inner.substring(raised.end()) : inner;
        Matcher start = CODE.matcher(error);
        String code = start.matches() ? start.group(1) : "";
        // Redis 6 itself never puts such a code directly behind its text: error(text, 0) of a script does.
        if (PASSING.contains(code) && (byServer || !inScript) || error.startsWith("ERR max number of clients")) {
            return StoreException.passing("The server cannot do it now: " + lead);
        }
        String rest = code.equals("ERR") ? error.substring(3).strip() : error;
        String advice = ADVICE.get(rest.startsWith("TENURE") ? rest.split(" ", 2)[0] : code);
        // Redis, and Valkey, of what a command inside a script lacks.
        if (code.equals("NOPERM")
                || rest.startsWith("The user executing the script can't ")
                || rest.startsWith("ACL failure in script: ")) {
            advice = lacking(lead)
                            .map(what -> "The user may not run " + what + ". ")
                            .orElse("")
                    + ADVICE.get("NOPERM");
        }
        if (advice == null
                && (rest.startsWith("unknown command")
                        || rest.startsWith("Unknown Redis command")
                        || rest.startsWith("Unknown command"))) {
            advice =
                    "The server lacks a command, or it was renamed or disabled: Tenure needs Redis 6.2 or Valkey 7.2, with"
                            + " scripts";
        }
        if (rest.startsWith("unknown command") && rest.contains("SENTINEL")) {
            advice = "The server is no sentinel: connect by redis://host:port, or name the sentinels that watch it";
        }
        if (advice == null && rest.startsWith("This instance has cluster support disabled")) {
            advice =
                    "The server is no node of a cluster: connect by redis://host:port, or with a client for one server";
        }
        return StoreException.permanent(
                (advice == null ? "The server refused the command" : advice) + " [" + lead + "]");
    }

    /** What the user may not run, {@code 'SET'}: as the server tells it, or else by the line of the script. */
    private static Optional<String> lacking(String error) {
        Matcher refused = REFUSED.matcher(error);
        return refused.find()
                ? Optional.of("'" + refused.group(1).toUpperCase(Locale.ROOT) + "'")
                : Scripts.commandsAt(error);
    }

    /** A time-out: whether the command was carried out is not known. */
    public static StoreException timedOut(String server, Throwable cause) {
        return StoreException.passing(
                "No answer from " + server + " in time; the command may have been carried out", cause);
    }

    /** A lost or missing connection: whether the command was carried out is not known. */
    public static StoreException lost(String server, Throwable cause) {
        String why = String.valueOf(cause.getMessage());
        if (why.contains("Commands are rejected")) {
            return StoreException.passing("No connection to " + server + " at present; nothing was sent", cause);
        }
        return StoreException.passing(
                "No connection to " + server + ": " + (why.endsWith(".") ? why.substring(0, why.length() - 1) : why)
                        + ". A command that was under way may have been carried out",
                cause);
    }

    /** A command after the store was closed, for good: nothing was sent. */
    public static StoreException closed(String server) {
        return closed(server, "Nothing was sent");
    }

    /** A command that was under way when the store was closed, for good: whether it was carried out is not known. */
    public static StoreException closedMeanwhile(String server) {
        return closed(server, "The command may have been carried out");
    }

    private static StoreException closed(String server, String fate) {
        return StoreException.permanent(
                "This store over " + server + " is closed, as closing its Tenure does: open another one. " + fate);
    }

    /** What a stage failed with: a stage that depends on it wraps that into a {@link CompletionException}. */
    public static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** The same failure, told with what was tried: {@code "acquiring 'x'"}. */
    static RuntimeException during(String what, Throwable failure) {
        Throwable cause = causeOf(failure);
        if (cause instanceof StoreException store) {
            return store.retold("Failed " + what + ": " + store.getMessage());
        }
        if (cause instanceof StaleTokenException stale) {
            return stale;
        }
        if (cause instanceof CancellationException cancelled) {
            return cancelled;
        }
        return StoreException.permanent("Failed " + what + ": " + cause, cause);
    }
}
