package io.tenure.redis.cases;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The judge of what a server does: every command it runs, those of scripts included, in its own order and with its own
 * time, as its {@code MONITOR} tells.
 */
final class MonitorTap implements AutoCloseable {
    private static final Pattern LINE = Pattern.compile("\\+(\\d+)\\.(\\d{6}) \\[\\d+ ([^]]*)] (.*)", Pattern.DOTALL);
    private static final String MARKER = "monitor-marker-";
    private static final AtomicLong MARKERS = new AtomicLong();

    private final Socket socket;
    private final RedisCommands<String, String> cli;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Command> commands = new ArrayList<>();
    private volatile long markerSeen;

    private MonitorTap(Socket socket, RedisCommands<String, String> cli) {
        this.socket = socket;
        this.cli = cli;
    }

    /** What the server did, and when by its clock. */
    record Command(long micros, boolean inScript, List<String> words) {
        boolean is(String verb, String key) {
            return words.size() > 1
                    && words.get(0).equalsIgnoreCase(verb)
                    && words.get(1).equals(key);
        }

        boolean isVerb(String verb) {
            return words.get(0).equalsIgnoreCase(verb);
        }

        boolean names(String text) {
            return words.stream().anyMatch(word -> word.contains(text));
        }
    }

    static MonitorTap on(int port, RedisCommands<String, String> cli) {
        try {
            Socket socket = new Socket("127.0.0.1", port);
            MonitorTap tap = new MonitorTap(socket, cli);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(ISO_8859_1));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1), 1 << 16);
            if (!"+OK".equals(lines.readLine())) {
                throw new IllegalStateException("no MONITOR");
            }
            Thread reader = new Thread(() -> tap.read(lines), "monitor");
            reader.setDaemon(true);
            reader.start();
            return tap;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LINE.matcher(line);
                if (!matcher.matches()) {
                    throw new IllegalStateException("not understood: " + line);
                }
                List<String> words = words(matcher.group(4));
                long micros = Long.parseLong(matcher.group(1)) * 1_000_000 + Long.parseLong(matcher.group(2));
                Command command = new Command(micros, matcher.group(3).equals("lua"), words);
                lock.lock();
                try {
                    commands.add(command);
                } finally {
                    lock.unlock();
                }
                if (command.isVerb("ECHO") && words.get(1).startsWith(MARKER)) {
                    markerSeen = Long.parseLong(words.get(1).substring(MARKER.length()));
                }
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The quoted words of a line; what is escaped in them stays so. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int begin = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"' && begin < 0) {
                begin = i + 1;
            } else if (c == '"') {
                words.add(text.substring(begin, i));
                begin = -1;
            }
        }
        return List.copyOf(words);
    }

    /** Everything up to now, in the server's order. */
    List<Command> commands() {
        long marker = MARKERS.incrementAndGet();
        cli.echo(MARKER + marker);
        Bench.until("the monitor keeps up", () -> markerSeen >= marker);
        lock.lock();
        try {
            return List.copyOf(commands);
        } finally {
            lock.unlock();
        }
    }

    /** Everything up to now that names {@code text}. */
    List<Command> commandsOf(String text) {
        return commands().stream().filter(command -> command.names(text)).toList();
    }

    /** The tokens of the leases that were written to {@code key}, in the server's order. */
    List<Long> tokensWritten(String key) {
        return commands().stream()
                .filter(command -> command.is("SET", key))
                .map(command -> tokenOf(command.words().get(2)))
                .toList();
    }

    static long tokenOf(String value) {
        return Long.parseLong(value.substring(value.lastIndexOf('-') + 1));
    }

    /** Forgets what it has seen so far. */
    void clear() {
        commands();
        lock.lock();
        try {
            commands.clear();
        } finally {
            lock.unlock();
        }
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
