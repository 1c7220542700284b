package io.tenure.redis.servers;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Servers for the tests of one class, gone with all they leave afterwards: a static {@code @RegisterExtension}. */
public interface ServerFixture extends BeforeAllCallback, AfterAllCallback, AutoCloseable {
    /** Starts all of them, and returns when they are ready for whatever the fixture is for. */
    void open();

    /** Ends all of them, and removes what they left. */
    @Override
    void close();

    @Override
    default void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        try {
            open();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @Override
    default void afterAll(ExtensionContext context) {
        if (!isNested(context)) {
            close();
        }
    }

    /** A nested class inherits the fixture of the one around it, and its servers. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() != null;
    }
}
