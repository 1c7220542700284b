package io.tenure.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.spi.Wakeups;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The driver is the user's, and may be another one than the one that tells of notifications. */
class MissingDriverTest {
    @Test
    void law20_without_the_driver_waiters_poll_and_are_told_so_once() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        try (URLClassLoader without = new URLClassLoader(
                new URL[] {origin(PostgresWakeups.class), origin(Wakeups.class)},
                ClassLoader.getPlatformClassLoader())) {
            Class<?> wakeups = without.loadClass(PostgresWakeups.class.getName());
            Class<?> leaving = without.loadClass(PostgresWakeups.Leaving.class.getName());
            Class<?> listener = without.loadClass("io.tenure.spi.StoreListener");
            Class<?> waiter = without.loadClass(Wakeups.Listener.class.getName());
            DataSource source = proxy(DataSource.class, postgres());
            Object made = wakeups.getConstructor(DataSource.class, DataSource.class, leaving, listener)
                    .newInstance(
                            source,
                            source,
                            proxy(leaving, null),
                            Proxy.newProxyInstance(without, new Class<?>[] {listener}, (proxy, method, arguments) -> {
                                events.add(arguments[0].toString());
                                return null;
                            }));

            wakeups.getMethod("await", String.class, String.class, waiter)
                    .invoke(made, "name", "me", proxy(waiter, null));

            await().until(() -> !events.isEmpty());
            assertThat(events).singleElement().asString().contains("org.postgresql:postgresql", "polling");
            assertThat(wakeups.getMethod("isLive").invoke(made)).isEqualTo(false);
            wakeups.getMethod("close").invoke(made);
        }
    }

    private static URL origin(Class<?> type) throws IOException {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** A connection of a driver that is not the one we know. */
    private static Connection postgres() {
        DatabaseMetaData server = proxy(DatabaseMetaData.class, "PostgreSQL");
        return proxy(Connection.class, server);
    }

    /** Answers {@code answer} wherever it fits. */
    private static <T> T proxy(Class<T> type, @Nullable Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader() == null ? ClassLoader.getPlatformClassLoader() : type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType().isInstance(answer) ? answer : null));
    }
}
