package io.tenure.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a script answered: nil, an integer, a string of bytes, or a list of replies. Immutable but for its bytes. */
public final class RedisReply {
    private static final RedisReply NIL = new RedisReply(null);

    private final @Nullable Object value;

    private RedisReply(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Wraps what a client handed out.
     *
     * @param value null, a {@link Number}, a {@link Boolean}, a {@code byte[]}, a {@link String}, or a {@link List} of
     *     such values
     */
    public static RedisReply of(@Nullable Object value) {
        return value == null ? NIL : new RedisReply(value);
    }

    /** Whether the script answered nothing, nil or false. */
    public boolean isNil() {
        return value == null || Boolean.FALSE.equals(value);
    }

    /**
     * The reply as a number; {@code true} is 1.
     *
     * @throws IllegalStateException when it is neither a number nor text that is one
     */
    public long asLong() {
        if (value instanceof Number number) {
            return number.longValue();
        }
        if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        }
        if (value instanceof byte[] || value instanceof String) {
            try {
                return Long.parseLong(asString());
            } catch (NumberFormatException e) {
                throw new IllegalStateException("The reply '" + asString() + "' is no whole number", e);
            }
        }
        throw unexpected("a number");
    }

    /**
     * The reply as text, decoded as UTF-8.
     *
     * @throws IllegalStateException when it is nil or a list
     */
    public String asString() {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (value instanceof String || value instanceof Number) {
            return value.toString();
        }
        throw unexpected("text");
    }

    /**
     * The reply as bytes.
     *
     * @throws IllegalStateException when it is nil or a list
     */
    public byte[] asBytes() {
        return value instanceof byte[] bytes ? bytes : asString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The reply as a list.
     *
     * @throws IllegalStateException when it is none
     */
    public List<RedisReply> asList() {
        if (value instanceof List<?> list) {
            return list.stream().map(RedisReply::of).toList();
        }
        throw unexpected("a list");
    }

    /** The element of a list at {@code index}; nil beyond its end, where Lua drops trailing nils. */
    RedisReply at(int index) {
        if (value instanceof List<?> list) {
            return index < list.size() ? of(list.get(index)) : NIL;
        }
        throw unexpected("a list");
    }

    private IllegalStateException unexpected(String wanted) {
        return new IllegalStateException("The reply is " + this + " where " + wanted + " was expected");
    }

    @Override
    public String toString() {
        if (value == null) {
            return "nil";
        }
        return value instanceof List<?> ? asList().toString() : text();
    }

    private String text() {
        return value instanceof Boolean ? value.toString() : asString();
    }
}
