package io.tenure.redis;

import io.tenure.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What one primary told of itself. Immutable. */
final class ServerFacts {
    /** Before Redis 7, CONFIG GET takes one pattern. */
    private static final List<List<String>> QUESTIONS = List.of(
            List.of("INFO"),
            List.of("TIME"),
            List.of("CLUSTER", "INFO"),
            List.of("CONFIG", "GET", "append*"),
            List.of("CONFIG", "GET", "save"),
            List.of("CONFIG", "GET", "maxmemory*"),
            List.of("CONFIG", "GET", "min-replicas-*"));

    private static final int CONFIGS_FROM = 3;

    /** What INFO tells of settings too, for those who may not run CONFIG. */
    private static final Map<String, String> IN_INFO =
            Map.of("maxmemory", "maxmemory", "maxmemory-policy", "maxmemory_policy");

    private final String server;
    private final String why;
    private final Map<String, String> info = new HashMap<>();
    private final Map<String, String> cluster = new HashMap<>();
    private final Map<String, String> config = new HashMap<>();
    private final OptionalLong seconds;
    private final Optional<String> blindness;

    private ServerFacts(String server, String why, List<RedisReply> replies) {
        this.server = server;
        this.why = why;
        blindness = Optional.empty();
        addLines(replies.get(0), info);
        addLines(replies.get(2), cluster);
        for (RedisReply reply : replies.subList(CONFIGS_FROM, replies.size())) {
            if (!reply.isNil()) {
                List<RedisReply> words = reply.asList();
                for (int i = 0; i + 1 < words.size(); i += 2) {
                    config.put(words.get(i).asString(), words.get(i + 1).asString());
                }
            }
        }
        RedisReply time = replies.get(1);
        seconds =
                time.isNil() ? OptionalLong.empty() : OptionalLong.of(time.at(0).asLong());
    }

    /** Of a port that cannot look at its servers at all. */
    private ServerFacts(RedisPort port, String blindness) {
        server = port.toString();
        why = "the binding of this client cannot look";
        seconds = OptionalLong.empty();
        this.blindness = Optional.of(blindness);
    }

    /**
     * Asks all primaries. What a server refuses is not known then, and no failure.
     *
     * @return fails with a transient {@link StoreException} when a server cannot be asked now
     */
    static CompletionStage<List<ServerFacts>> ask(RedisPort port) {
        return port.inspect(QUESTIONS)
                .handle((servers, failure) -> failure == null ? of(servers) : blind(port, failure))
                .thenCompose(facts -> facts);
    }

    private static CompletionStage<List<ServerFacts>> blind(RedisPort port, Throwable failure) {
        if (isPassing(failure)) {
            return CompletableFuture.failedFuture(RedisErrors.during("looking at " + port, failure));
        }
        String reason = RedisErrors.during("looking at " + port, failure).getMessage();
        return CompletableFuture.completedFuture(List.of(new ServerFacts(port, String.valueOf(reason))));
    }

    private static CompletionStage<List<ServerFacts>> of(List<RedisPort.Inspection> servers) {
        List<CompletableFuture<ServerFacts>> all = new ArrayList<>();
        for (RedisPort.Inspection inspection : servers) {
            List<CompletableFuture<RedisReply>> answers = new ArrayList<>();
            for (int i = 0; i < inspection.replies().size(); i++) {
                boolean needed = i == 0;
                answers.add(inspection
                        .replies()
                        .get(i)
                        .handle((reply, failure) -> failure == null ? reply : refused(inspection, needed, failure))
                        .toCompletableFuture());
            }
            all.add(joined(answers)
                    .thenApply(replies -> new ServerFacts(
                            inspection.server(), "the server refuses that to this user, or lacks it", replies)));
        }
        return joined(all);
    }

    /** What a refusal counts as: nil. Without INFO, a server that does not answer now is to be asked again. */
    private static RedisReply refused(RedisPort.Inspection inspection, boolean needed, Throwable failure) {
        if (needed && isPassing(failure)) {
            throw new CompletionException(RedisErrors.during("looking at " + inspection.server(), failure));
        }
        return RedisReply.of(null);
    }

    private static boolean isPassing(Throwable failure) {
        Throwable cause = RedisErrors.causeOf(failure);
        return !(cause instanceof StoreException store) || store.isTransient();
    }

    private static <T> CompletableFuture<List<T>> joined(List<CompletableFuture<T>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    private static void addLines(RedisReply reply, Map<String, String> to) {
        if (reply.isNil()) {
            return;
        }
        for (String line : reply.asString().split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                to.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
    }

    String server() {
        return server;
    }

    /** Why something is not known, as a clause. */
    String why() {
        return why;
    }

    /** Why nothing at all was asked: the port cannot look. Empty when the server was asked, whatever it let this user see. */
    Optional<String> blindness() {
        return blindness;
    }

    /** A field of INFO. */
    Optional<String> info(String field) {
        return Optional.ofNullable(info.get(field));
    }

    /** Whether INFO could be read, and its field has that value. */
    boolean is(String field, String value) {
        return value.equals(info.get(field));
    }

    /** A field of CLUSTER INFO. */
    Optional<String> cluster(String field) {
        return Optional.ofNullable(cluster.get(field));
    }

    /** A setting, from CONFIG or else from INFO. */
    Optional<String> setting(String name) {
        @Nullable String value = config.get(name);
        if (value == null && name.equals("appendonly")) {
            return info("aof_enabled").map(enabled -> enabled.equals("1") ? "yes" : "no");
        }
        return value == null ? info(IN_INFO.getOrDefault(name, name)) : Optional.of(value);
    }

    /** A setting for people: its name, and {@code ?} when it is not known. */
    String named(String name) {
        String value = setting(name).orElse("?");
        return name + "=" + (value.isEmpty() ? "\"\"" : value);
    }

    /** The server's clock, in seconds. */
    OptionalLong seconds() {
        return seconds;
    }

    /** Whether it has no key at all, and is not just about to load some. */
    boolean isEmpty() {
        return !info.isEmpty()
                && is("loading", "0")
                && info.keySet().stream().noneMatch(field -> field.matches("db\\d+"));
    }
}
