package io.tenure.examples.across;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.tenure.TokenSource;
import io.tenure.examples.LocalPostgres;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.jdbc.JdbcStoreOptions;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** Where leases are kept, and where their holders write: in two systems, of which neither knows the other. */
enum Crossing {
    LEASES_IN_REDIS {
        @Override
        Instance open(String redis, String postgres, String role, TokenSource tokens) {
            PGSimpleDataSource rows = LocalPostgres.source(postgres + "&socketTimeout=4");
            JdbcFence fence = JdbcFence.over(
                    rows,
                    role,
                    JdbcFenceOptions.builder().claimTimeout(CLAIM_TIMEOUT).build());
            RedisStoreOptions options =
                    RedisStoreOptions.builder().tokens(tokens).build();
            return new Instance(
                    role,
                    RedisLeaseStore.connect(redis, options),
                    fence,
                    (token, value) -> fence.guardedUpdate(token, WRITE, role, value),
                    () -> {});
        }
    },
    LEASES_IN_POSTGRES {
        @Override
        Instance open(String redis, String postgres, String role, TokenSource tokens) {
            RedisURI uri = RedisURI.create(redis);
            uri.setTimeout(CLAIM_TIMEOUT);
            RedisClient client = RedisClient.create(uri);
            RedisPort port = LettuceStores.port(client);
            RedisFence fence = RedisFence.external(port, role);
            JdbcStoreOptions options = JdbcStoreOptions.builder()
                    .tokens(tokens)
                    .callTimeout(Duration.ofSeconds(1))
                    .build();
            return new Instance(
                    role,
                    JdbcLeaseStore.over(LocalPostgres.source(postgres), options),
                    fence,
                    (token, value) -> fence.set(token, valueKey(role), value),
                    () -> {
                        port.close();
                        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
                    });
        }
    };

    /** Shorter than the drain timeouts here, so that whoever cannot claim says why. */
    static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(3);

    static final String TABLE = "CREATE TABLE state (name text PRIMARY KEY, value text NOT NULL)";
    static final String WRITE = "INSERT INTO state (name, value) VALUES (?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET value = excluded.value";

    static String valueKey(String role) {
        return role + ":value";
    }

    /** An instance of the application, which has tables and keys that are there already. */
    abstract Instance open(String redis, String postgres, String role, TokenSource tokens);
}
