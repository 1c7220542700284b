package io.tenure.redis.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection of a test's own, with no client library in between: nothing is sent again, nothing is redirected. It is
 * unusable after a time-out. Not thread-safe.
 */
public final class RawConnection implements AutoCloseable {
    /** How long an answer may take, unless something else is said. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

    private final Socket socket = new Socket();
    private final InputStream in;

    private RawConnection(int port, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** An answer that is an error; the message is the server's, such as {@code MOVED 3999 127.0.0.1:6381}. */
    public static final class ErrorReply extends RuntimeException {
        private static final long serialVersionUID = 1;

        ErrorReply(String message) {
            super(message);
        }
    }

    public static RawConnection to(int port) {
        return to(port, USUAL_TIMEOUT);
    }

    /** @throws UncheckedIOException when nobody listens there */
    public static RawConnection to(int port, Duration timeout) {
        try {
            return new RawConnection(port, timeout);
        } catch (IOException e) {
            throw new UncheckedIOException("Port " + port + ": " + e.getMessage(), e);
        }
    }

    /** The answer as one text: what {@link #list} tells, a line each. */
    public String call(String... command) {
        return String.join("\n", list(command));
    }

    /**
     * The answer as texts: numbers in decimals, nothing as the empty text, arrays within arrays flattened.
     *
     * @throws ErrorReply when the server answers an error, also inside an array
     * @throws UncheckedIOException when it does not answer, or not in time
     */
    public List<String> list(String... command) {
        send(command);
        return receive();
    }

    /** Sends without waiting: what a pipeline is made of, or a command that nobody hears the answer of. */
    public void send(String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes("*" + command.length + "\r\n"));
        for (String part : command) {
            byte[] text = bytes(part);
            out.writeBytes(bytes("$" + text.length + "\r\n"));
            out.writeBytes(text);
            out.writeBytes(bytes("\r\n"));
        }
        try {
            socket.getOutputStream().write(out.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next answer, or message of a subscription; as {@link #list} tells it. */
    public List<String> receive() {
        List<String> texts = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        try {
            read(texts, errors);
        } catch (IOException e) {
            throw new UncheckedIOException("Port " + socket.getPort() + ": " + e, e);
        }
        if (!errors.isEmpty()) {
            throw new ErrorReply(errors.get(0));
        }
        return texts;
    }

    private void read(List<String> texts, List<String> errors) throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '+', ':' -> texts.add(rest);
            case '-' -> errors.add(rest);
            case '$' -> texts.add(bulk(Integer.parseInt(rest)));
            case '*' -> {
                for (int left = Integer.parseInt(rest); left > 0; left--) {
                    read(texts, errors);
                }
            }
            default -> throw new IOException("No answer of a Redis: " + line);
        }
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] text = in.readNBytes(length + 2);
        if (text.length < length + 2) {
            throw new EOFException("The server closed the connection");
        }
        return new String(text, 0, length, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server closed the connection");
            }
            line.write(next);
        }
        if (in.read() != '\n' || line.size() == 0) {
            throw new IOException("No answer of a Redis: " + line);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
