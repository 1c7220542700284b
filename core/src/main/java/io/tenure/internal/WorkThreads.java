package io.tenure.internal;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Makes the threads of leaders' work: the user's, or daemon threads that are named after their role. */
public final class WorkThreads {
    private static final int LONGEST_NAME = 64;

    private final @Nullable ThreadFactory factory;

    /** @param factory the user's; null for none */
    public WorkThreads(@Nullable ThreadFactory factory) {
        this.factory = factory;
    }

    /** A thread for the work of the role {@code name}, not started. */
    Thread make(Runnable work, String name) {
        if (factory == null) {
            Thread made = new Thread(work, "tenure-work-" + shortened(name));
            made.setDaemon(true);
            return made;
        }
        Thread made = factory.newThread(work);
        if (made == null) {
            throw new IllegalStateException("the thread factory of this Tenure made no thread for '" + name + "'");
        }
        return made;
    }

    /** For lists of threads: names may be as long as half a kilobyte, but hold nothing that cannot be printed. */
    private static String shortened(String name) {
        if (name.codePointCount(0, name.length()) <= LONGEST_NAME) {
            return name;
        }
        return name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME - 1)) + "\u2026";
    }
}
