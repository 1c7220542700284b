package io.tenure.examples.elsewhere;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** {@link FakeObjectStore} behind HTTP, with the conditions of RFC 9110: 412 when they do not hold. */
final class FakeHttpResource implements AutoCloseable {
    final FakeObjectStore objects = new FakeObjectStore();
    private final HttpServer http;
    private final String tagPrefix;

    private FakeHttpResource(String tagPrefix) throws IOException {
        this.tagPrefix = tagPrefix;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::handle);
        http.start();
    }

    static FakeHttpResource start() throws IOException {
        return new FakeHttpResource("");
    }

    /** Its tags are weak, as those of many a proxy that compresses. */
    static FakeHttpResource withWeakTags() throws IOException {
        return new FakeHttpResource("W/");
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestURI().getPath().substring(1);
            if (exchange.getRequestMethod().equals("PUT")) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(isPut(exchange, key, body) ? 204 : 412, -1);
                return;
            }
            Optional<ObjectStore.StoredObject> found = objects.get(key);
            if (found.isEmpty()) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] body = found.get().body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("ETag", tagPrefix + found.get().etag());
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private boolean isPut(HttpExchange exchange, String key, String body) {
        String tag = exchange.getRequestHeaders().getFirst("If-Match");
        if (tag != null) {
            return objects.putIfMatch(key, tag, body);
        }
        if ("*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            return objects.putIfAbsent(key, body);
        }
        objects.put(key, body);
        return true;
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
