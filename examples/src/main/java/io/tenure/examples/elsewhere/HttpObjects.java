package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Any HTTP service that has entity tags and refuses by them (RFC 9110, section 13), as a place for a
 * {@link PointerFence}. Ask yours for a put under a wrong tag before you rely on it: one that knows no {@code If-Match}
 * ignores it, and answers 200.
 */
final class HttpObjects implements ObjectStore {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI root;

    HttpObjects(URI root) {
        this.root = root;
    }

    @Override
    public Optional<StoredObject> get(String key) {
        // A cache on the way must ask the origin: an old pointer has an old token.
        HttpResponse<String> answer =
                send(request(key).header("Cache-Control", "no-cache").GET());
        return switch (answer.statusCode()) {
            case 200 -> Optional.of(new StoredObject(answer.body(), strongTag(answer)));
            case 404 -> Optional.empty();
            default -> throw unexpected(answer);
        };
    }

    @Override
    public boolean putIfAbsent(String key, String body) {
        return put(request(key).header("If-None-Match", "*"), body);
    }

    @Override
    public boolean putIfMatch(String key, String etag, String body) {
        return put(request(key).header("If-Match", etag), body);
    }

    private boolean put(HttpRequest.Builder request, String body) {
        HttpResponse<String> answer = send(request.PUT(HttpRequest.BodyPublishers.ofString(body)));
        return switch (answer.statusCode()) {
            case 200, 201, 204 -> true;
            case 412, 404, 409 -> false; // another one is there, or none, or another request was under way
            default -> throw unexpected(answer);
        };
    }

    /** If-Match compares strongly: a weak tag never matches, and every put would be refused. */
    private static String strongTag(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("ETag")
                .filter(tag -> !tag.startsWith("W/"))
                .orElseThrow(() -> StoreException.permanent(
                        answer.uri() + " has no strong entity tag: nothing can be replaced under a condition there"));
    }

    private HttpRequest.Builder request(String key) {
        return HttpRequest.newBuilder(root.resolve("/" + key)).timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw StoreException.passing(root + " did not answer; the call may have been carried out", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.passing("Interrupted; the call may have been carried out", e);
        }
    }

    private static StoreException unexpected(HttpResponse<String> answer) {
        String message = answer.request().method() + " of " + answer.uri() + " was answered " + answer.statusCode();
        return answer.statusCode() >= 500 ? StoreException.passing(message) : StoreException.permanent(message);
    }
}
