package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ServerBinary;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server in protected mode answers the machine that it runs on, by the loopback interface, and nobody else. */
class ProtectedModeTest {
    /**
     * From Redis 7 on. Before, a server that was told which interfaces to listen on, as those of the tests are, answers on
     * all of them; so does every server where there is no interface but the loopback.
     */
    @Test
    void law27_a_server_in_protected_mode_refuses_for_good_saying_what_to_do_until_it_is_opened()
            throws SocketException {
        InetAddress outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElseGet(InetAddress::getLoopbackAddress);
        boolean isProtected = ServerBinary.chosen().isAtLeast(7, 0) && !outside.isLoopbackAddress();
        String address = outside.getHostAddress();
        try (RedisProcess server = RedisProcess.of("--bind", RedisProcess.HOST, address)) {
            server.start();
            String url = "redis://" + address + ":" + server.port();

            Optional<StoreException> refusal = Optional.ofNullable(
                    failure(() -> RedisLeaseStore.connect(url).close()));

            assertThat(refusal.isPresent()).isEqualTo(isProtected);
            assertThat(refusal.filter(StoreException::isTransient)).isEmpty();
            refusal.ifPresent(told -> assertThat(told)
                    .hasMessageContaining(address + ":" + server.port())
                    .hasMessageContaining("protected mode: set a password or a bind address"));
            server.cli("CONFIG", "SET", "protected-mode", "no");
            RedisLeaseStore.connect(url).close();
        }
    }

    /** What such a server does, on whatever interface: it says so, and hangs up. */
    @Test
    void law27_who_is_told_of_protected_mode_instead_of_a_greeting_is_refused_for_good() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread answers = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket caller = server.accept()) {
                            caller.getInputStream().read(new byte[1024]);
                            caller.getOutputStream()
                                    .write("-DENIED Redis is running in protected mode because\r\n".getBytes(UTF_8));
                        }
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            answers.start();

            StoreException refusal = failure(() -> RedisLeaseStore.connect("redis://127.0.0.1:" + server.getLocalPort())
                    .close());

            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal).hasMessageContaining("protected mode: set a password or a bind address");
        }
    }
}
