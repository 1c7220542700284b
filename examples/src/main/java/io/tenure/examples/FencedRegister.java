package io.tenure.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tenure.InProcessFence;
import io.tenure.StaleTokenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A service that knows nothing of leases and still refuses callers that lost theirs: each call carries a token, and one
 * that is lower than a token seen before is refused. Its state lives in this process, and so does the mark; a service
 * that keeps its state elsewhere checks the token there. {@link StaleCaller} shows it at work.
 */
final class FencedRegister implements AutoCloseable {
    static final String TOKEN = "Fencing-Token";
    static final String MARK = "Fencing-Mark";
    private static final int MOST_BYTES = 64 * 1024;

    private final InProcessFence fence = new InProcessFence("register");
    private volatile String value = "";

    private final ExecutorService handlers = Executors.newFixedThreadPool(4);
    private final HttpServer http;

    FencedRegister() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(handlers);
        http.createContext("/claim", exchange -> handle(exchange, (token, body) -> claim(token)));
        http.createContext("/value", exchange -> handle(exchange, this::set));
        http.start();
    }

    /** What a call does under its token. */
    private interface Call {
        void under(long token, String body);
    }

    // tag::one-step
    /** Refuses lower tokens from now on. It waits for a write that was admitted before: none is made behind its back. */
    void claim(long token) {
        fence.claim(token);
    }

    /** One step with the check that allows it: otherwise a newer caller could come, and write, in between. */
    void set(long token, String text) {
        fence.run(token, () -> value = text);
    }
    // end::one-step

    String value() {
        return value;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    private void handle(HttpExchange exchange, Call call) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
            try {
                long token = Long.parseLong(exchange.getRequestHeaders().getFirst(TOKEN));
                call.under(token, new String(body, StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(204, -1);
            } catch (StaleTokenException e) {
                exchange.getResponseHeaders().set(MARK, Long.toString(e.mark()));
                exchange.sendResponseHeaders(409, -1);
            } catch (NumberFormatException e) {
                exchange.sendResponseHeaders(400, -1); // also a call without a token: there is no way around the fence
            }
        }
    }

    @Override
    public void close() {
        http.stop(0);
        handlers.shutdown();
    }
}
