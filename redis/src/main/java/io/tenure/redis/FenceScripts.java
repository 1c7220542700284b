package io.tenure.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The scripts of one kind of fence: each a check, a write, and what follows once it has succeeded. */
final class FenceScripts {
  /** Each body stays in the memory of client and server. */
  private static final int MAX_BODIES = 256;

  private static final String EPILOGUE = "applied()\nreturn { 1, result }\n";

  final RedisScript hset;
  final RedisScript set;
  final RedisScript del;
  final RedisScript claim;
  final RedisScript batch;

  private final String guard;
  private final Map<String, RedisScript> bodies = new ConcurrentHashMap<>();

  /** @param guardName the file that has the check, and defines {@code applied()} */
  FenceScripts(String guardName) {
    this.guard = Scripts.text(guardName);
    this.hset = write("fence-hset");
    this.set = write("fence-set");
    this.del = write("fence-del");
    this.batch = write("fence-batch");
    this.claim = guardName.equals("external-guard") ? Scripts.script("external-claim") : write("fence-claim");
  }

  private RedisScript write(String name) {
    return RedisScript.of(name, guard + Scripts.text(name) + EPILOGUE);
  }

  /**
   * A script around a body of the user's. The body becomes a function, so that its {@code return} does not skip what
   * follows, and stands first, so that it sees nothing of the check's.
   */
  RedisScript of(String body) {
    RedisScript known = bodies.get(body);
    if (known != null) {
      return known;
    }
    if (bodies.size() >= MAX_BODIES) {
      throw new IllegalArgumentException("This is the " + (MAX_BODIES + 1) + "th body of a fenced script, and each is kept"
          + " by client and server. Keep bodies constant: pass what varies through keys and args");
    }
    return bodies.computeIfAbsent(
        body,
        text -> RedisScript.of(
            "fence-eval",
            "local function write()\n" + text + "\nend\n" + guard
                + "local result = write()\n"
                + "if type(result) == 'table' and result.err then return result end\n" + EPILOGUE));
  }
}
