package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StaleCallerTest {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    private FencedRegister service;
    private RegisterClient client;

    @BeforeEach
    void start() throws IOException {
        service = new FencedRegister();
        client = new RegisterClient(service.address());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_call_of_a_leader_that_was_succeeded_is_refused() throws Exception {
        try (Tenure first = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open();
                Tenure second =
                        Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open()) {
            StaleTokenException refusal = new StaleCaller(client).play(first, second);

            assertThat(refusal.mark()).isGreaterThan(refusal.token());
            assertThat(service.value()).isEqualTo("new");
        }
    }

    @Test
    void a_claim_alone_refuses_earlier_callers() {
        client.set(7, "old");

        client.claim(8);

        assertThatThrownBy(() -> client.set(7, "too late"))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.mark()).isEqualTo(8));
        assertThat(service.value()).isEqualTo("old");
    }

    @Test
    void a_call_without_a_token_is_refused() throws Exception {
        HttpResponse<Void> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(service.address() + "/value"))
                                .POST(HttpRequest.BodyPublishers.ofString("new"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(service.value()).isEmpty();
    }

    @Test
    void a_service_that_does_not_answer_may_have_carried_the_call_out() {
        service.close();

        assertThatThrownBy(() -> client.set(1, "new"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isTrue());
    }
}
