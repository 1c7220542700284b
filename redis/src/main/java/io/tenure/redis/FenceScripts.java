package io.tenure.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The scripts of one kind of fence: each a check, a write, and what follows once it has succeeded. */
final class FenceScripts {
    private static final Pattern COMMENT = Pattern.compile("--.*");
    /** Each body stays in the memory of client and server. */
    private static final int MAX_BODIES = 256;

    final RedisScript hset;
    final RedisScript set;
    final RedisScript del;
    final RedisScript claim;
    final RedisScript batch;

    private final String guard;
    private final String applied;
    private final Map<String, RedisScript> bodies = new ConcurrentHashMap<>();

    private FenceScripts(String kind, RedisScript claim) {
        this.guard = Scripts.text(kind + "-guard");
        this.applied = Scripts.text(kind + "-applied");
        this.hset = write("fence-hset");
        this.set = write("fence-set");
        this.del = write("fence-del");
        this.batch = write("fence-batch");
        this.claim = claim;
    }

    /** Those of fences on the store that mints the tokens, where a claim is a check without a write. */
    static FenceScripts onStore() {
        RedisScript check = RedisScript.of(
                "fence-claim", Scripts.text("fence-guard") + "local result = 0\n" + Scripts.text("fence-applied"));
        return new FenceScripts("fence", check);
    }

    /** Those of fences beside a lease that is kept elsewhere. */
    static FenceScripts external() {
        return new FenceScripts("external", Scripts.script("external-claim"));
    }

    /** Those whose text is ours alone. */
    Stream<RedisScript> fixed() {
        return Stream.of(hset, set, del, claim, batch);
    }

    private RedisScript write(String name) {
        return RedisScript.of(name, guard + Scripts.text(name) + applied);
    }

    /**
     * A script around a body of the user's. The body becomes a function, so that its {@code return} does not skip what
     * follows, and stands after the check: text that closes the function and goes on is not run before it either. Names of
     * the check's are hidden from it, and its first line is the first of the script: the server tells errors by line.
     */
    RedisScript of(String body) {
        RedisScript known = bodies.get(body);
        if (known != null) {
            return known;
        }
        if (bodies.size() >= MAX_BODIES) {
            throw new IllegalArgumentException(
                    "This is the " + (MAX_BODIES + 1) + "th body of a fenced script, and each is kept"
                            + " by client and server. Keep bodies constant: pass what varies through keys and args");
        }
        return bodies.computeIfAbsent(
                body,
                text -> RedisScript.of(
                        "fence-eval",
                        COMMENT.matcher(guard).replaceAll("").replaceAll("\\s+", " ")
                                + "local function write() local mark, counter, number, stands, left; " + text
                                + "\nend\n"
                                + "local result = write()\n"
                                + "if type(result) == 'table' and result.err then return result end\n" + applied));
    }
}
