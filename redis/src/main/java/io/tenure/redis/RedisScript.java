package io.tenure.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A Lua script with the digest under which the server caches it. Immutable. */
public final class RedisScript {
    private final String name;
    private final String body;
    private final String sha;
    private final Urgency urgency;

    private enum Urgency {
        KEEPS_LEASES,
        CAN_WAIT
    }

    private RedisScript(String name, String body, Urgency urgency) {
        this.name = Objects.requireNonNull(name, "name");
        this.body = Objects.requireNonNull(body, "body");
        this.sha = HexFormat.of().formatHex(sha1().digest(body.getBytes(StandardCharsets.UTF_8)));
        this.urgency = urgency;
    }

    /** A script called {@code name} in messages; for those who test a port of their own. */
    public static RedisScript of(String name, String body) {
        return new RedisScript(name, body, Urgency.CAN_WAIT);
    }

    /** One that leases end without. */
    static RedisScript urgent(String name, String body) {
        return new RedisScript(name, body, Urgency.KEEPS_LEASES);
    }

    /** What the script is called in messages. */
    public String name() {
        return name;
    }

    /** The text for {@code EVAL}. */
    public String body() {
        return body;
    }

    /** The argument of {@code EVALSHA}: SHA-1 of the text, in lower-case hexadecimal digits. */
    public String sha() {
        return sha;
    }

    /**
     * Whether a lease may end, or stay taken, when this runs late: it renews or releases. A port whose calls wait for one
     * another lets it go first.
     */
    public boolean isUrgent() {
        return urgency == Urgency.KEEPS_LEASES;
    }

    @Override
    public String toString() {
        return name + " (" + sha + ")";
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime lacks SHA-1, which every Java platform has to offer", e);
        }
    }
}
