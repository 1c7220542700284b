package io.tenure.tool.demo;

import java.util.List;

/**
 * One line that a contender said.
 *
 * @param from who said it
 * @param verb its first word
 * @param words the other words
 * @param at when it arrived, by this process's monotonic clock
 */
record Line(String from, String verb, List<String> words, long at) {

    static Line parse(String from, String text, long at) {
        List<String> words = List.of(text.strip().split(" +"));
        return new Line(from, words.get(0), words.subList(1, words.size()), at);
    }

    boolean is(String wanted) {
        return verb.equals(wanted);
    }

    boolean is(String id, String wanted) {
        return from.equals(id) && is(wanted);
    }

    String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    /** The number at {@code index}; 0 when there is none, which no token is. */
    long number(int index) {
        try {
            return Long.parseLong(word(index));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** What was said, in full. */
    String text() {
        return words.isEmpty() ? verb : verb + " " + String.join(" ", words);
    }
}
