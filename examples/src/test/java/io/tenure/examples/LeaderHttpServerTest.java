package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaderHttpServerTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final List<LeaderHttpServer> servers = new ArrayList<>();

    @BeforeEach
    void empty() {
        REDIS.cli().flushall();
    }

    @AfterEach
    void close() {
        servers.forEach(LeaderHttpServer::close);
    }

    @Test
    void a_follower_redirects_to_the_leader_and_leads_when_that_one_is_closed() throws Exception {
        LeaderHttpServer first = start();
        await().atMost(LONG).until(first::isLeader);
        LeaderHttpServer second = start();
        HttpResponse<String> answer = put(second, "a");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.uri()).hasToString(first.address() + "/value");
        assertThat(REDIS.cli().get(LeaderHttpServer.VALUE)).isEqualTo("a");

        first.close();

        await().atMost(LONG).until(second::isLeader);
        HttpResponse<String> later = put(second, "b");
        assertThat(later.statusCode()).isEqualTo(200);
        assertThat(later.uri()).hasToString(second.address() + "/value");
        assertThat(token(later)).isGreaterThan(token(answer));
        assertThat(REDIS.cli().get(LeaderHttpServer.VALUE)).isEqualTo("b");

        second.close();

        assertThat(REDIS.cli().exists(LeaderHttpServer.NAME + ":leader")).isZero();
    }

    @Test
    void without_a_leader_that_is_a_server_the_answer_is_to_try_later() throws Exception {
        try (Tenure other = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open();
                HeldLock held = other.lock(LeaderHttpServer.NAME).acquire()) {
            HttpResponse<String> answer = put(start(), "a");

            assertThat(held.isHeld()).isTrue();
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            assertThat(REDIS.cli().exists(LeaderHttpServer.VALUE)).isZero();
        }
    }

    @Test
    void a_leader_that_was_succeeded_writes_nothing_even_before_it_knows() throws Exception {
        LeaderHttpServer server = start();
        await().atMost(LONG).until(server::isLeader);
        long token = token(put(server, "a"));

        // What the election of a successor leaves at the server.
        REDIS.cli().set(LeaderHttpServer.NAME + ":fence", "" + (token + 1));
        REDIS.cli().set(LeaderHttpServer.NAME + ":fence:applied", "" + (token + 1));

        assertThat(put(server, "b").statusCode()).isEqualTo(503);
        assertThat(REDIS.cli().get(LeaderHttpServer.VALUE)).isEqualTo("a");
    }

    private LeaderHttpServer start() throws IOException {
        LeaderHttpServer server = LeaderHttpServer.start(REDIS.uri(), 0);
        servers.add(server);
        return server;
    }

    private HttpResponse<String> put(LeaderHttpServer server, String value) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.address() + "/value"))
                        .timeout(Duration.ofSeconds(30))
                        .PUT(HttpRequest.BodyPublishers.ofString(value))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static long token(HttpResponse<String> answer) {
        return Long.parseLong(answer.body().strip());
    }
}
