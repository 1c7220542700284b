package io.tenure.examples;

import io.tenure.Fence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Calls of {@link FencedRegister}, each under a token. As a {@link Fence} it can be given to an elector, which then claims
 * it for every new term: from that moment callers of earlier terms are refused, before the new leader's first write.
 */
final class RegisterClient implements Fence {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI service;

    RegisterClient(URI service) {
        this.service = service;
    }

    @Override
    public void claim(long token) {
        call(token, "/claim", "");
    }

    /**
     * Sets the value.
     *
     * @throws StaleTokenException when there is a newer caller; nothing was written
     * @throws StoreException when the service did not answer; the value may have been written
     */
    void set(long token, String value) {
        call(token, "/value", value);
    }

    private void call(long token, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(service.resolve(path))
                .timeout(PATIENCE)
                .header(FencedRegister.TOKEN, Long.toString(token))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<Void> answer;
        try {
            answer = http.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            throw StoreException.passing("The register did not answer; the call may have been carried out", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.passing("Interrupted; the call may have been carried out", e);
        }
        if (answer.statusCode() == 409) {
            long mark = answer.headers().firstValueAsLong(FencedRegister.MARK).orElse(0);
            throw new StaleTokenException("register", token, mark);
        }
        if (answer.statusCode() != 204) {
            throw StoreException.permanent("The register refused the call: status " + answer.statusCode());
        }
    }
}
