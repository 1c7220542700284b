package io.tenure.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server of which every instance listens and the leader writes: the others redirect to it. There is no leader's loop;
 * each request asks for the term, and its token goes into the write. Start it on two ports, and
 * {@code curl -L -X PUT -d hello localhost:8081/value} to either:
 *
 * <pre>
 * mvn -q -pl examples -am package -DskipTests &amp;&amp; java -cp examples/target/examples.jar io.tenure.examples.LeaderHttpServer redis://localhost:6379 8081
 * </pre>
 */
public final class LeaderHttpServer implements AutoCloseable {
    static final String NAME = "examples:http";
    static final String VALUE = "examples:http:value";
    private static final int MOST_BYTES = 64 * 1024;

    private final HttpServer http;
    private final ExecutorService handlers = Executors.newFixedThreadPool(4);
    private final Tenure tenure;
    private final RedisFence fence;
    private final Elector elector;
    private final Candidacy candidacy;

    private LeaderHttpServer(HttpServer http, Tenure tenure, RedisFence fence) {
        this.http = http;
        this.tenure = tenure;
        this.fence = fence;
        elector = tenure.elector(NAME);
        http.setExecutor(handlers);
        http.createContext("/value", this::handle);
        candidacy = elector.campaign();
        http.start();
    }

    /** Listens on a loopback port (0 for a free one), and stands for election. */
    static LeaderHttpServer start(String uri, int port) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        try {
            RedisLeaseStore redis = RedisLeaseStore.connect(uri);
            // The address as the holder's id: a follower reads from the lease where the leader is. An id that is
            // set by hand has to be that of one live process, as an address is.
            Tenure tenure = Tenure.over(redis)
                    .holder(addressOf(http))
                    .observer(System.out::println)
                    .open();
            try {
                return new LeaderHttpServer(http, tenure, redis.fence(NAME));
            } catch (RuntimeException e) {
                tenure.close();
                throw e;
            }
        } catch (RuntimeException e) {
            http.stop(0);
            throw e;
        }
    }

    private static String addressOf(HttpServer http) {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    String address() {
        return addressOf(http);
    }

    boolean isLeader() {
        return elector.isLeader();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("PUT")) {
                answer(exchange, 405, "Only PUT");
                return;
            }
            byte[] value = exchange.getRequestBody().readNBytes(MOST_BYTES);
            Optional<Term> term = elector.term();
            if (term.isPresent()) {
                write(exchange, term.get(), value);
            } else {
                refer(exchange);
            }
        }
    }

    private void write(HttpExchange exchange, Term term, byte[] value) throws IOException {
        try {
            // The term can end between the look and the write. The token settles it at the server.
            fence.set(term.token(), VALUE, value);
            answer(exchange, 200, Long.toString(term.token()));
        } catch (StaleTokenException e) {
            refer(exchange); // nothing was written, and this instance learns in a moment that it leads no more
        } catch (StoreException e) {
            answer(exchange, 503, "The value may have been written: put it again");
        }
    }

    /** To the leader as last seen, or to a later moment: when that lease may be over, or is not one of ours. */
    private void refer(HttpExchange exchange) throws IOException {
        Optional<String> leader = elector.leader()
                .filter(seen -> seen.age().compareTo(seen.remaining()) < 0)
                .map(LeaseRecord::holder)
                .filter(holder -> holder.startsWith("http://") && !holder.equals(tenure.holder()));
        if (leader.isPresent()) {
            exchange.getResponseHeaders().set("Location", leader.get() + exchange.getRequestURI());
            answer(exchange, 307, "The leader is " + leader.get()); // 307 keeps method and body
        } else {
            exchange.getResponseHeaders().set("Retry-After", "1");
            answer(exchange, 503, "There is no leader at the moment");
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    /** Leaves the office first, so that another takes it while this one still refers to it; the connection goes last. */
    @Override
    public void close() {
        candidacy.close();
        http.stop(1);
        handlers.shutdown();
        try {
            if (!handlers.awaitTermination(5, TimeUnit.SECONDS)) {
                handlers.shutdownNow();
            }
        } catch (InterruptedException e) {
            handlers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        tenure.close();
    }

    public static void main(String[] args) throws IOException {
        String uri = args.length > 0 ? args[0] : "redis://localhost:6379";
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 8080;
        StopSignal.interrupts(Thread.currentThread(), Duration.ofSeconds(15));
        try (LeaderHttpServer server = LeaderHttpServer.start(uri, port)) {
            System.out.println("PUT a value to " + server.address() + "/value");
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            System.out.println("Stopped");
        } catch (StoreException e) {
            // So connecting tells of an interrupt, and keeps the flag; anything else is a failure.
            if (!Thread.currentThread().isInterrupted()) {
                throw e;
            }
            System.out.println("Stopped");
        }
    }
}
