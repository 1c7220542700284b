package io.tenure.verification;

import java.util.List;

/**
 * A deliberate mistake in the code: one small edit, which tests named after its laws have to notice.
 *
 * @param id what it is called; the runner takes it, or its beginning
 * @param laws the laws that it breaks
 * @param file what it edits, told from the root
 * @param what the mistake, as a sentence
 * @param found the text that is there exactly once
 * @param put what takes its place
 */
record Break(String id, List<Integer> laws, String file, String what, String found, String put) {

    /** The module that is compiled anew. */
    String module() {
        return file.substring(0, file.indexOf('/'));
    }

    /** Whether a test of that name is one that has to notice it. */
    boolean concerns(String method) {
        return laws.stream().anyMatch(law -> method.startsWith(prefixOf(law)));
    }

    static String prefixOf(int law) {
        return String.format("law%02d_", law);
    }

    /** The edited text of its file. */
    String applied() {
        String text = SourceTree.read(SourceTree.root().resolve(file));
        int at = text.indexOf(found);
        if (at < 0 || text.indexOf(found, at + 1) >= 0) {
            throw new IllegalStateException("The break '" + id + "' fits " + (at < 0 ? "nowhere" : "more than once")
                    + " in " + file + ": adapt it to the code, and run .ci/breaks " + id);
        }
        if (found.equals(put)) {
            throw new IllegalStateException("The break '" + id + "' changes nothing");
        }
        return text.substring(0, at) + put + text.substring(at + found.length());
    }

    @Override
    public String toString() {
        return id;
    }
}
