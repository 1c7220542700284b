package io.tenure.redis.lettuce;

import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.ExtendedKeepAliveSupport;
import java.time.Duration;

/** How soon a connection whose other end is gone without a word is noticed, as far as this runtime can. */
final class LettuceKeepAlive {
    private LettuceKeepAlive() {}

    /**
     * Has {@code options} notice it after 25 s of silence. Without the module {@code jdk.net}, or for Lettuce 7 a native
     * transport instead, no version of Lettuce connects with such options; there the operating system's own times are
     * left, which are hours.
     */
    static void set(SocketOptions.Builder options) {
        if (isExtensible()) {
            options.keepAlive(SocketOptions.KeepAliveOptions.builder()
                    .enable()
                    .idle(Duration.ofSeconds(10))
                    .interval(Duration.ofSeconds(5))
                    .count(3)
                    .build());
        } else {
            options.keepAlive(true);
        }
    }

    private static boolean isExtensible() {
        try {
            return ExtendedKeepAliveSupport.isSupported();
        } catch (NoClassDefFoundError e) {
            // Lettuce 6 does not say, and finds out by a class that does not load without that module.
            return ModuleLayer.boot().findModule("jdk.net").isPresent();
        }
    }
}
