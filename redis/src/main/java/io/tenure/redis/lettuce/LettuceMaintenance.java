package io.tenure.redis.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** What only Lettuce 7 has; apart from the rest, so that the rest works with Lettuce 6. */
final class LettuceMaintenance {
    private LettuceMaintenance() {}

    /** Keeps the client from asking the server for notices of maintenance, which most servers refuse to give. */
    static void ignore(ClientOptions.Builder options) {
        options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
}
