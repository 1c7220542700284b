package io.tenure;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a name may be, on every store: non-empty, up to 512 bytes of well-formed UTF-8, without control characters.
 * Thread-safe, without state.
 */
public final class Names {
    /** The longest name, in bytes of UTF-8. */
    public static final int MAX_BYTES = 512;

    private Names() {}

    /**
     * Returns {@code name}, which is compared byte by byte: nothing is trimmed or folded.
     *
     * @param what what is named, for the message: "name", "holder"
     * @throws IllegalArgumentException telling what is wrong with it
     */
    public static String require(String what, String name) {
        Objects.requireNonNull(name, what);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The " + what + " is empty: give it at least one character");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw new IllegalArgumentException(
                        "The " + what + " '" + printable(name) + "' has a control character (U+"
                                + String.format("%04X", (int) name.charAt(i)) + ") at index " + i + ": take it out");
            }
        }
        ByteBuffer bytes;
        try {
            bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "The " + what + " '" + printable(name)
                            + "' is no well-formed text: it has half of a surrogate pair",
                    e);
        }
        if (bytes.remaining() > MAX_BYTES) {
            throw new IllegalArgumentException("The " + what + " '" + name.substring(0, 32) + "...' has "
                    + bytes.remaining() + " bytes in UTF-8: the most is " + MAX_BYTES);
        }
        return name;
    }

    private static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars()
                .limit(64)
                .forEach(c -> text.append(
                        Character.isISOControl(c) || Character.isSurrogate((char) c)
                                ? String.format("\\u%04X", c)
                                : (char) c));
        return text.toString();
    }
}
