package io.tenure.verification.broken;

final class Synchronized {
    private int count;

    // The word synchronized in a comment is fine, and so is it in a text.
    static final String WORD = "synchronized // \" synchronized";

    synchronized void asModifier() {
        count++;
    }

    void asBlock() {
        synchronized (this) {
            count--;
        }
    }
}
