package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.examples.LocalPostgres;
import io.tenure.examples.LocalRedis;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisPort;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/fencing-sql.md about leases in one system and writes in another. */
class AcrossSnippetsTest {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @RegisterExtension
    static final LocalPostgres POSTGRES = new LocalPostgres();

    @Test
    void leases_in_postgresql_and_writes_in_redis() throws Exception {
        DataSource pool = LocalPostgres.source(POSTGRES.url());
        RedisClient client = RedisClient.create(REDIS.uri());
        // tag::reverse
        JdbcLeaseStore leases = JdbcLeaseStore.over(pool);
        leases.createSchema(); // once, or by the file in schema/
        try (RedisPort port = LettuceStores.port(client);
                Tenure tenure = Tenure.over(leases).open()) {
            RedisFence fence = RedisFence.external(port, "report"); // the name of the lease
            ElectorOptions options =
                    ElectorOptions.ofTtl(Duration.ofSeconds(5)).claims(fence).build();
            Elector elector = tenure.elector("report", options);
            elector.campaign(term -> {
                fence.set(term.token(), "report:status", "running"); // refused by StaleTokenException
                work(term);
            });
            // end::reverse
            await().atMost(Duration.ofSeconds(60)).until(() -> REDIS.cli().exists("report:status") == 1);
            assertThat(REDIS.cli().get("report:status")).isEqualTo("running");
            assertThat(REDIS.cli().get("report:mark"))
                    .isEqualTo(Long.toString(elector.token().orElseThrow()));

            RedisFence orders = RedisFence.external(port, "orders");
            // tag::lock
            tenure.lock("orders").run(held -> {
                orders.claim(held.token()); // from here on predecessors are refused
                orders.set(held.token(), "orders:status", "shipped");
            });
            // end::lock
            assertThat(REDIS.cli().get("orders:status")).isEqualTo("shipped");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static void work(Term term) throws InterruptedException {
        while (term.isHeld()) {
            Thread.sleep(50);
        }
    }
}
