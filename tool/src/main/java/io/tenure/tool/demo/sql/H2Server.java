package io.tenure.tool.demo.sql;

import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Starts H2 in the demo's own process, with a database in memory that others reach over TCP. */
final class H2Server {
    private static final String USER = "demo";

    private H2Server() {}

    static Server start(Cleanup cleanup) throws StepFailed {
        // Read once, when H2 is loaded; else it listens on every address, and only turns strangers away.
        System.setProperty("h2.bindAddress", "127.0.0.1");
        String name = "demo-" + Secret.random();
        String password = Secret.random();
        try {
            // Made here, since nobody may make databases over TCP. It stays until it is shut down.
            Connection first =
                    DriverManager.getConnection("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", USER, password);
            org.h2.tools.Server server = org.h2.tools.Server.createTcpServer(
                            "-tcpPort", "0", "-tcpDaemon", "-tcpPassword", Secret.random())
                    .start();
            cleanup.afterwards(() -> {
                server.stop();
                shutDown(first);
            });
            return new Server(
                    "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:" + name + ";USER=" + USER + ";PASSWORD="
                            + password,
                    "in the demo's own process, over TCP");
        } catch (SQLException | IOException e) {
            throw new StepFailed("No H2 server could be started (" + e.getMessage()
                    + "): name a server of yours, as in " + Server.VARIABLE + "=" + Database.H2.form());
        }
    }

    private static void shutDown(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException e) {
            return; // it goes with this process
        }
    }
}
