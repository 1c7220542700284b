package io.tenure.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.TokenSource;
import java.io.IOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis server for one test class, and stores on it, closed afterwards. */
final class RedisStoreRule implements BeforeAllCallback, AfterAllCallback {
    private final RedisServerRule server = new RedisServerRule();
    private RedisLeaseStore store;
    private RedisLeaseStore counting;
    private RedisClient client;
    private RedisPort port;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        server.beforeAll(context);
        store = RedisLeaseStore.connect(uri());
        counting = RedisLeaseStore.connect(
                uri(), RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build());
        client = RedisClient.create(uri());
        port = LettuceStores.port(client);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        store.close();
        counting.close();
        port.close();
        client.shutdown();
        server.afterAll(context);
    }

    RedisLeaseStore store() {
        return store;
    }

    /** A store whose tokens come from the counter alone. */
    RedisLeaseStore counting() {
        return counting;
    }

    /** The way to the server of a client that is not the store's. */
    RedisPort port() {
        return port;
    }

    /** Blocking commands of the test's own, beside the stores. */
    RedisCommands<String, String> cli() {
        return server.cli();
    }

    String uri() {
        return server.uri();
    }
}
