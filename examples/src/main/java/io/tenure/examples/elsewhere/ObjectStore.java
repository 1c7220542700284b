package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.util.Optional;

/**
 * What {@link PointerFence} needs of an object store. The comments name the calls of S3; others have the same ones under
 * other names. Each throws a transient {@link StoreException} when no answer came: a put may have been carried out then.
 */
interface ObjectStore {
    /** {@code getObject}; empty for 404. */
    Optional<StoredObject> get(String key);

    /** {@code putObject} with {@code If-None-Match: *}; false for 412: there is one. */
    boolean putIfAbsent(String key, String body);

    /**
     * {@code putObject} with {@code If-Match: etag}; false for 412 (it is another one now), 404 (it is gone) and 409 (another
     * put was under way): look again.
     */
    boolean putIfMatch(String key, String etag, String body);

    /** What is stored under a key, and the tag of exactly that. */
    record StoredObject(String body, String etag) {}
}
