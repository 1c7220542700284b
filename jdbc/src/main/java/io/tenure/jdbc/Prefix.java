package io.tenure.jdbc;

import java.util.Optional;

/** What comes after all names that start with a prefix, in the order of their bytes. */
final class Prefix {
    private Prefix() {}

    /** The first text behind them; empty when there is none, as behind the empty prefix. UTF-8 sorts as its code points do. */
    static Optional<String> after(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            int start = end - Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return Optional.of(prefix.substring(0, start) + Character.toString(next));
            }
            end = start;
        }
        return Optional.empty();
    }
}
