package io.tenure.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One direction of one connection. One thread reads and another writes: what is read is dated at once, so that a delay
 * puts bytes back by as much as it says, however many they are, and a sender never feels that its bytes are held.
 */
final class Lane {
    private static final int CHUNK = 16 * 1024;

    private final Socket from;
    private final Socket to;
    private final Valve valve;
    private final Runnable broken;
    private final Runnable ended;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final Thread writer;

    /** Bytes and when they came in; none at the end of the stream. */
    private record Piece(ByteBuffer bytes, long at) {}

    Lane(String name, Socket from, Socket to, Valve valve, Runnable broken, Runnable ended) {
        this.from = from;
        this.to = to;
        this.valve = valve;
        this.broken = broken;
        this.ended = ended;
        reader = new Thread(this::read, name + "-in");
        writer = new Thread(this::write, name + "-out");
        reader.setDaemon(true);
        writer.setDaemon(true);
    }

    void start() {
        reader.start();
        writer.start();
    }

    /** Ends the threads, once the sockets are closed. */
    void stop() {
        writer.interrupt();
    }

    List<Thread> threads() {
        return List.of(reader, writer);
    }

    private void read() {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            int read = in.read(buffer);
            while (read >= 0) {
                if (valve.takes(read)) {
                    pieces.add(new Piece(ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime()));
                }
                read = in.read(buffer);
            }
            pieces.add(new Piece(ByteBuffer.allocate(0), System.nanoTime()));
        } catch (IOException e) {
            broken.run();
        }
    }

    private void write() {
        try {
            while (true) {
                Piece piece = pieces.take();
                boolean passes = valve.opensFor(piece.at());
                if (!piece.bytes().hasRemaining()) {
                    // A swallowed end leaves the other side with a connection that is half open, as a lost packet does.
                    if (passes) {
                        to.shutdownOutput();
                    }
                    ended.run();
                    return;
                }
                if (passes) {
                    to.getOutputStream().write(piece.bytes().array());
                }
            }
        } catch (IOException e) {
            broken.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
