package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An object store as S3 behaves: strongly consistent, each put atomic for its key alone, the tag a hash of the content.
 * A put whose answer is lost is sent again, as clients do by themselves.
 */
final class FakeObjectStore implements ObjectStore {
    private enum Trouble {
        NONE,
        ANSWER_LOST_ONCE,
        NO_ANSWER
    }

    private final Map<String, String> objects = new ConcurrentHashMap<>();
    private final AtomicReference<Trouble> trouble = new AtomicReference<>(Trouble.NONE);
    private final AtomicInteger replacements = new AtomicInteger();
    private final AtomicReference<Runnable> afterGet = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> beforePut = new AtomicReference<>(() -> {});

    void loseTheNextAnswer() {
        trouble.set(Trouble.ANSWER_LOST_ONCE);
    }

    void answerTheNextPutNever() {
        trouble.set(Trouble.NO_ANSWER);
    }

    /** Runs {@code meanwhile} when the next object was read, before the reader goes on. */
    void afterTheNextGet(Runnable meanwhile) {
        afterGet.set(meanwhile);
    }

    /** How many objects were replaced. */
    int replacements() {
        return replacements.get();
    }

    /** Runs {@code meanwhile} when the next put is on its way. */
    void beforeTheNextPut(Runnable meanwhile) {
        beforePut.set(meanwhile);
    }

    Set<String> keys() {
        return Set.copyOf(objects.keySet());
    }

    /** {@code putObject} without a condition. */
    void put(String key, String body) {
        objects.put(key, body);
    }

    @Override
    public Optional<StoredObject> get(String key) {
        Optional<StoredObject> found =
                Optional.ofNullable(objects.get(key)).map(body -> new StoredObject(body, etag(body)));
        afterGet.getAndSet(() -> {}).run();
        return found;
    }

    @Override
    public boolean putIfAbsent(String key, String body) {
        return sent(() -> objects.putIfAbsent(key, body) == null);
    }

    @Override
    public boolean putIfMatch(String key, String etag, String body) {
        return sent(() -> {
            String[] done = {null};
            objects.computeIfPresent(key, (same, old) -> {
                done[0] = etag(old).equals(etag) ? body : null;
                return done[0] == null ? old : body;
            });
            if (done[0] != null) {
                replacements.incrementAndGet();
            }
            return done[0] != null;
        });
    }

    private interface Put {
        boolean isDone();
    }

    private boolean sent(Put put) {
        beforePut.getAndSet(() -> {}).run();
        boolean done = put.isDone();
        return switch (trouble.getAndSet(Trouble.NONE)) {
            case NONE -> done;
            case ANSWER_LOST_ONCE -> put.isDone();
            case NO_ANSWER -> throw StoreException.passing("timed out");
        };
    }

    private static String etag(String body) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest(body.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(hash) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
