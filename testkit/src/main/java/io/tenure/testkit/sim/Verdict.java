package io.tenure.testkit.sim;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first law that was seen broken. It is kept rather than thrown, since most of what is judged happens beneath the
 * engine, which survives what its store throws.
 */
final class Verdict {
    private @Nullable String broken;

    void broken(String law, String how) {
        if (broken == null) {
            broken = law + ": " + how;
        }
    }

    void unless(boolean kept, String law, Supplier<String> how) {
        if (!kept) {
            broken(law, how.get());
        }
    }

    boolean isBroken() {
        return broken != null;
    }

    @Nullable
    String what() {
        return broken;
    }
}
