package io.tenure.redis;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells failures that pass by themselves from those that somebody has to mend. */
public final class RedisErrors {
    // Redis 6 wraps the error of a command inside a script in text of its own, so the code is looked for anywhere.
    private static final Pattern CODE = Pattern.compile("(?<![A-Z0-9_])[A-Z][A-Z0-9]{2,}(?![A-Za-z0-9_])");

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

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry("WRONGPASS", "The server refused user name or password: check the credentials of the client"),
            Map.entry("NOAUTH", "The server asks for credentials: give the client user name and password"),
            Map.entry(
                    "NOPERM",
                    "The user lacks a right: grant it EVAL, EVALSHA, the commands that the scripts use, and the"
                            + " keys of the lease (ACL SETUSER)"),
            Map.entry("READONLY", "The server is a read-only replica: connect to its primary"),
            Map.entry("CROSSSLOT", "The keys of one script lie in several slots: give them one hash tag, {like-this}"),
            Map.entry(
                    "MOVED",
                    "The server is a node of a cluster, and the lease lives on another one: a cluster is not supported yet"),
            Map.entry(
                    "ASK",
                    "The server is a node of a cluster, and the lease lives on another one: a cluster is not supported yet"),
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

    /** What an error reply of the server means. */
    public static StoreException ofReply(String reply) {
        String lead = reply.startsWith("-") ? reply.substring(1) : reply;
        if (lead.startsWith("ERR max number of clients")) {
            return StoreException.passing("The server has no connection left: " + lead);
        }
        Matcher code = CODE.matcher(lead);
        while (code.find()) {
            if (PASSING.contains(code.group())) {
                return StoreException.passing("The server cannot do it now: " + lead);
            }
            String advice = ADVICE.get(code.group());
            if (advice != null) {
                return StoreException.permanent(advice + " [" + lead + "]");
            }
        }
        if (lead.contains("OOM")) {
            return StoreException.passing("The server cannot do it now: " + lead);
        }
        if (lead.contains("can't run this command") || lead.contains("can't access")) {
            return StoreException.permanent(ADVICE.get("NOPERM") + " [" + lead + "]");
        }
        if (lead.contains("unknown command") || lead.contains("Unknown Redis command")) {
            return StoreException.permanent(
                    "The server lacks a command, or it was renamed or disabled: Tenure needs Redis 6.2"
                            + " or Valkey 7.2, with scripts [" + lead + "]");
        }
        return StoreException.permanent("The server refused the command [" + lead + "]");
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

    /** The same failure, told with what was tried: {@code "acquiring 'x'"}. */
    static RuntimeException during(String what, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException store) {
            String message = "Failed " + what + ": " + store.getMessage();
            return store.isTransient()
                    ? StoreException.passing(message, store)
                    : StoreException.permanent(message, store);
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
