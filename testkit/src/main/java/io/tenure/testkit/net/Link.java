package io.tenure.testkit.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One connection of a client through the relay to the server. */
final class Link {
    private static final int CONNECT_MILLIS = 2_000;

    private final Socket client;
    private final Socket server = new Socket();
    private final Lane requests;
    private final Lane answers;
    private final Consumer<Link> gone;
    private final AtomicInteger running = new AtomicInteger(2);
    private final AtomicBoolean over = new AtomicBoolean();

    Link(Socket client, Valve toServer, Valve toClient, Consumer<Link> gone) {
        this.client = client;
        this.gone = gone;
        String name = "relay-" + client.getPort();
        requests = new Lane(name + "-to-server", client, server, toServer, this::cut, this::ended);
        answers = new Lane(name + "-to-client", server, client, toClient, this::cut, this::ended);
    }

    /** Reaches the server and lets bytes through; where there is no server, the client is reset. */
    void open(InetSocketAddress target) {
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
        } catch (IOException e) {
            cut();
            return;
        }
        requests.start();
        answers.start();
        if (over.get()) {
            // Cut before there were threads to stop.
            requests.stop();
            answers.stop();
        }
    }

    /** Resets the connection on both sides; what is on its way is lost. */
    void cut() {
        if (over.compareAndSet(false, true)) {
            reset(client);
            reset(server);
            requests.stop();
            answers.stop();
            gone.accept(this);
        }
    }

    /** Both sides have said their last word, each in its own time. */
    private void ended() {
        if (running.decrementAndGet() == 0 && over.compareAndSet(false, true)) {
            close(client);
            close(server);
            gone.accept(this);
        }
    }

    List<Thread> threads() {
        return Stream.of(requests, answers)
                .flatMap(lane -> lane.threads().stream())
                .toList();
    }

    /** Closes with a reset instead of an orderly end. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Its other end was faster: closing is all that is left.
        }
        close(socket);
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Whatever the system says, the socket is closed for us.
        }
    }
}
