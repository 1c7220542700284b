package io.tenure.testkit.net;

import static io.tenure.testkit.net.Direction.TO_CLIENT;
import static io.tenure.testkit.net.Direction.TO_SERVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpRelayTest {
    /** For bytes that must not come: long beside a round trip through the relay. */
    private static final int SILENCE = 200;

    private static final int PATIENCE = 20_000;

    private ServerSocket server;
    private TcpRelay relay;
    private Socket client;
    private Socket behind;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        relay = TcpRelay.to(server.getLocalPort());
        client = open();
        behind = server.accept();
        behind.setSoTimeout(PATIENCE);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        behind.close();
        relay.close();
        server.close();
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        socket.setSoTimeout(PATIENCE);
        return socket;
    }

    @Test
    void bytes_pass_both_ways_in_order() throws IOException {
        say(client, "ask");
        assertThat(hear(behind, 3)).isEqualTo("ask");
        say(behind, "answer");
        assertThat(hear(client, 6)).isEqualTo("answer");
        assertThat(relay.arrived(TO_SERVER)).isEqualTo(3);
        assertThat(relay.arrived(TO_CLIENT)).isEqualTo(6);
    }

    @Test
    void what_is_held_comes_in_order_once_it_may_pass_and_the_other_direction_never_waits() throws IOException {
        relay.hold(TO_CLIENT);
        say(behind, "one,");
        say(behind, "two,");
        say(client, "meanwhile");
        assertThat(hear(behind, 9)).isEqualTo("meanwhile");
        assertSilent(client);

        relay.pass(TO_CLIENT);
        say(behind, "three");

        assertThat(hear(client, 13)).isEqualTo("one,two,three");
    }

    @Test
    void what_is_swallowed_never_comes_and_takes_with_it_what_was_held() throws IOException {
        relay.hold(TO_SERVER);
        say(client, "held,");
        arrives(TO_SERVER, 5);
        relay.swallow(TO_SERVER);
        say(client, "swallowed,");
        arrives(TO_SERVER, 15);
        relay.pass(TO_SERVER);
        say(client, "passed");

        assertThat(hear(behind, 6)).isEqualTo("passed");
    }

    @Test
    void a_delay_puts_bytes_back_and_does_not_add_up() throws IOException {
        Duration delay = Duration.ofMillis(300);
        relay.delay(TO_SERVER, delay);
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            say(client, "x");
        }
        assertThat(hear(behind, 20)).hasSize(20);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(took).isBetween(delay, delay.multipliedBy(10));

        say(client, "more");
        relay.pass(TO_SERVER);
        assertThat(hear(behind, 4)).as("what was delayed passes too").isEqualTo("more");
    }

    @Test
    void an_end_passes_as_an_end_and_the_other_direction_stays_open() throws IOException {
        client.shutdownOutput();
        assertThat(behind.getInputStream().read()).isEqualTo(-1);
        say(behind, "late");
        assertThat(hear(client, 4)).isEqualTo("late");
        behind.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        Awaitility.await().until(() -> relay.connections() == 0);
    }

    @Test
    void a_cut_resets_both_sides_and_new_connections_are_taken() throws IOException {
        relay.hold(TO_CLIENT);
        say(behind, "lost");
        arrives(TO_CLIENT, 4);

        relay.cut();

        assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
        assertThatThrownBy(() -> behind.getInputStream().read()).hasMessageContaining("reset");
        assertThat(relay.connections()).isZero();
        relay.pass(TO_CLIENT);
        try (Socket again = open();
                Socket behindIt = server.accept()) {
            say(behindIt, "new");
            assertThat(hear(again, 3)).isEqualTo("new");
        }
    }

    @Test
    void while_it_refuses_new_connections_end_at_once_and_old_ones_live() throws IOException {
        relay.refuse();
        try (Socket refused = open()) {
            assertThatThrownBy(() -> refused.getInputStream().read()).isInstanceOf(IOException.class);
        }
        say(client, "old");
        assertThat(hear(behind, 3)).isEqualTo("old");

        relay.accept();
        try (Socket taken = open();
                Socket behindIt = server.accept()) {
            say(taken, "taken");
            assertThat(hear(behindIt, 5)).isEqualTo("taken");
        }
    }

    @Test
    void a_server_that_is_not_there_is_a_reset_and_is_found_when_it_comes() throws IOException {
        int port = server.getLocalPort();
        server.close();
        try (Socket lost = open()) {
            assertThatThrownBy(() -> lost.getInputStream().read()).isInstanceOf(IOException.class);
        }
        server = new ServerSocket(port, 16, InetAddress.getLoopbackAddress());
        try (Socket found = open();
                Socket behindIt = server.accept()) {
            say(behindIt, "back");
            assertThat(hear(found, 4)).isEqualTo("back");
        }
    }

    @Test
    void closing_leaves_no_thread_and_no_connection_even_while_bytes_are_held() throws IOException {
        relay.hold(TO_CLIENT);
        say(behind, "held");
        arrives(TO_CLIENT, 4);

        relay.close();
        relay.close();

        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        assertThatThrownBy(this::open).isInstanceOf(IOException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("relay-"));
    }

    private void arrives(Direction direction, long bytes) {
        Awaitility.await().until(() -> relay.arrived(direction) >= bytes);
    }

    private static void say(Socket socket, String words) throws IOException {
        socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
    }

    private static String hear(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(PATIENCE);
    }
}
