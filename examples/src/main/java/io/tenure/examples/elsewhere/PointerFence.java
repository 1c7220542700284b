package io.tenure.examples.elsewhere;

import io.tenure.Fence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tokens;
import io.tenure.examples.elsewhere.ObjectStore.StoredObject;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * State in an object store, replaced as a whole by one leader after the other. The state lies in objects that are written
 * once; one small object, the pointer, names the current one and carries the token. Only the pointer is ever replaced, and
 * only on the condition that it is still the one whose token was looked at: so a claim refuses every earlier leader before
 * the new one has written anything.
 */
final class PointerFence implements Fence {
    private static final int MOST_TRIES = 10;

    private final ObjectStore store;
    private final String name;

    PointerFence(ObjectStore store, String name) {
        this.store = store;
        this.name = name;
    }

    /** The content of the pointer. Never the same twice, or the tag of an old one would match again: S3 hashes the content. */
    record Pointer(long token, String target) {
        static final String NOTHING = "-";

        static Pointer of(StoredObject stored) {
            String[] parts = stored.body().split(" ", 2);
            return new Pointer(Long.parseLong(parts[0]), parts[1]);
        }

        String body() {
            return token + " " + target;
        }
    }

    @Override
    public void claim(long token) {
        Tokens.requireValid(name, token, 0);
        if (store.get(pointerKey()).isEmpty()
                && store.putIfAbsent(pointerKey(), new Pointer(token, Pointer.NOTHING).body())) {
            return;
        }
        swing(token, target -> target);
    }

    /** Replaces the state. A refused leader leaves an object behind that nobody reads. */
    void publish(long token, String state) {
        Tokens.requireValid(name, token, 0);
        String target = name + "/" + token + "/" + UUID.randomUUID();
        store.putIfAbsent(target, state);
        swing(token, old -> target);
    }

    private void swing(long token, UnaryOperator<String> toTarget) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            // tag::swing
            StoredObject seen = store.get(pointerKey()).orElseThrow(() -> new StaleTokenException(name, token, 0));
            Pointer old = Pointer.of(seen);
            if (old.token() > token) {
                throw new StaleTokenException(name, token, old.token());
            }
            Pointer next = new Pointer(token, toTarget.apply(old.target()));
            // Equal: it is done, perhaps by a put of ours whose answer was lost and whose repetition got a 412.
            if (next.equals(old) || store.putIfMatch(pointerKey(), seen.etag(), next.body())) {
                return;
            }
            // end::swing
        }
        throw StoreException.passing(
                "The pointer of '" + name + "' was replaced by others " + MOST_TRIES + " times in a row");
    }

    /** The current state, by the pointer: never by listing for the highest token, which finds what was refused too. */
    Optional<String> read() {
        return store.get(pointerKey())
                .map(Pointer::of)
                .filter(pointer -> !pointer.target().equals(Pointer.NOTHING))
                .flatMap(pointer -> store.get(pointer.target()))
                .map(StoredObject::body);
    }

    String pointerKey() {
        return name + "/current";
    }
}
