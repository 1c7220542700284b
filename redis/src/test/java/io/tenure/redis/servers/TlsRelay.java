package io.tenure.redis.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * TLS in front of a server that need not know of it, on a port of the loopback interface, with a certificate of its own that
 * names {@code localhost} and no address.
 */
public final class TlsRelay implements AutoCloseable {
    private static final String PASSWORD = "changeit";
    private static final int CHUNK = 8_192;

    private final Path store;
    private final SSLServerSocket door;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private TlsRelay(int target, Path store) throws IOException, GeneralSecurityException {
        this.target = target;
        this.store = store;
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        door = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::admit);
    }

    /** A relay to a port of this machine, with keys made by the JDK's keytool in {@code folder}. */
    public static TlsRelay to(int port, Path folder) {
        Path store = folder.resolve("server.p12");
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "server",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes());
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            return new TlsRelay(port, store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return door.getLocalPort();
    }

    /** A store whose certificates are to be trusted by whoever trusts this relay. */
    public Path trustStore() {
        return store;
    }

    public String trustStorePassword() {
        return PASSWORD;
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.addAll(List.of(client, server));
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            } catch (IOException e) {
                // The door was closed, which ends the loop, or the server refuses, which ends the client's connection.
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tls-relay");
        thread.setDaemon(true);
        thread.start();
    }

    private static void pump(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            for (int read = from.getInputStream().read(chunk);
                    read >= 0;
                    read = from.getInputStream().read(chunk)) {
                to.getOutputStream().write(chunk, 0, read);
                to.getOutputStream().flush();
            }
        } catch (IOException e) {
            // One side is gone, or does not trust the other: both are closed.
        }
    }

    @Override
    public void close() {
        try {
            door.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
