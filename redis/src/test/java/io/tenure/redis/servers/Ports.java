package io.tenure.redis.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback interface. They lie below those that systems lend to outgoing connections, so that a server which
 * is down for a while finds its port free when it comes back.
 */
public final class Ports {
    /** From a node's port to that of its cluster bus. */
    private static final int TO_BUS = 10_000;

    private static final int COUNT = 5_000;
    /** Tests run in two processes at once; the other must not take the port of a server that is down for a while. */
    private static final int FIRST = 11_000 + Math.floorMod(Integer.getInteger("tenure.fork", 1) - 1, 2) * COUNT;

    /** One after the other, so that a port is not given twice before its server listens; from anywhere, as other runs do. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private Ports() {}

    /** A port that is free now, and with it the one that lies 10,000 above, for the bus of a cluster. */
    public static int free() {
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port) && isFree(port + TO_BUS)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port from " + FIRST + " on");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
