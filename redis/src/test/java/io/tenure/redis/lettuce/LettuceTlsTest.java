package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.TlsRelay;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS by URL: whom it trusts, and what it says of whom it does not. */
class LettuceTlsTest {
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";
    private static final String TRUST_STORE_PASSWORD = "javax.net.ssl.trustStorePassword";

    private static final RedisProcess server = RedisProcess.of();

    @TempDir
    static Path folder;

    private static TlsRelay relay;

    @BeforeAll
    static void start() {
        server.start();
        server.cli("CONFIG", "SET", "requirepass", "s3cret");
        relay = TlsRelay.to(server.port(), folder);
    }

    @AfterAll
    static void stop() {
        relay.close();
        server.close();
    }

    @AfterEach
    void distrust() {
        System.clearProperty(TRUST_STORE);
        System.clearProperty(TRUST_STORE_PASSWORD);
    }

    private static void trust() {
        System.setProperty(TRUST_STORE, relay.trustStore().toString());
        System.setProperty(TRUST_STORE_PASSWORD, relay.trustStorePassword());
    }

    private static String url(String host, String parameters) {
        return "rediss://:s3cret@" + host + ":" + relay.port() + parameters;
    }

    private static void assertWorks(String url) {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url)) {
            assertThat(release(store, hold(store, lock(claim(fresh("job"), "a")))))
                    .isTrue();
        }
    }

    private static void assertDistrusted(String url) {
        StoreException e = failure(() -> RedisLeaseStore.connect(url));
        assertThat(e.isTransient()).as(e.getMessage()).isFalse();
        assertThat(e).hasMessageContainingAll("" + relay.port(), "certificate", TRUST_STORE);
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    void law27_a_certificate_that_nobody_vouches_for_is_refused_unless_nothing_is_to_be_verified() {
        assertDistrusted(url("localhost", "?timeout=10s"));
        assertDistrusted(url("localhost", "?timeout=10s&verifyPeer=FULL"));
        assertDistrusted(url("localhost", "?timeout=10s&verifyPeer=CA"));
        assertWorks(url("localhost", "?timeout=10s&verifyPeer=NONE"));
    }

    @Test
    void law27_a_trusted_certificate_has_to_name_the_host_unless_its_issuer_is_enough() {
        trust();

        assertWorks(url("localhost", "?timeout=10s"));
        assertDistrusted(url("127.0.0.1", "?timeout=10s"));
        assertWorks(url("127.0.0.1", "?timeout=10s&verifyPeer=CA"));
    }

    @Test
    void law27_sentinels_and_nodes_of_a_cluster_are_verified_alike() {
        for (String url : List.of(
                "rediss-cluster://:s3cret@localhost:%d?timeout=10s",
                "rediss-sentinel://localhost:%d?timeout=10s#main")) {
            assertDistrusted(String.format(url, relay.port()));
        }
    }
}
