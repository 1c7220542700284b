package io.tenure.jdbc.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Connections as PgBouncer gives them in its transaction mode: statements run on another connection of the server's than the
 * one that the client reads from, so that whoever listens hears nothing.
 */
public final class ChangingConnections {
    private final DataSource server;
    private final AtomicInteger given = new AtomicInteger();

    public ChangingConnections(DataSource server) {
        this.server = server;
    }

    public DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? changing()
                        : call(server, method, arguments == null ? new Object[0] : arguments));
    }

    /** Connections to PostgreSQL that nobody knows to be what they are. */
    public static DataSource ofAnotherDriver(DataSource server) {
        return (DataSource) Proxy.newProxyInstance(
                ChangingConnections.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> disguised(server.getConnection()));
    }

    /** Connections whose session listens to that channel before anybody asked it to. */
    static DataSource listeningAlready(DataSource server, String channel) {
        return (DataSource) Proxy.newProxyInstance(
                ChangingConnections.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    Connection connection = server.getConnection();
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("LISTEN " + channel);
                    }
                    return connection;
                });
    }

    /** A connection each of whose statements runs on the next of these. */
    static Connection takingTurns(List<Connection> sessions) {
        AtomicInteger turn = new AtomicInteger();
        return (Connection) Proxy.newProxyInstance(
                ChangingConnections.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "createStatement" ->
                        call(sessions.get(turn.getAndIncrement() % sessions.size()), method, new Object[0]);
                    case "close" -> null;
                    default -> call(sessions.get(0), method, arguments == null ? new Object[0] : arguments);
                });
    }

    private static Object disguised(Connection connection) {
        return Proxy.newProxyInstance(
                ChangingConnections.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> method.getName().equals("isWrapperFor")
                        ? Boolean.FALSE
                        : call(connection, method, arguments == null ? new Object[0] : arguments));
    }

    /** How many connections were asked for. */
    public int given() {
        return given.get();
    }

    private Connection changing() throws SQLException {
        given.incrementAndGet();
        Connection client = server.getConnection();
        Connection elsewhere = server.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object[] given = arguments == null ? new Object[0] : arguments;
                    return switch (method.getName()) {
                        case "createStatement", "prepareStatement" -> call(elsewhere, method, given);
                        case "close" -> {
                            elsewhere.close();
                            yield call(client, method, given);
                        }
                        case "setAutoCommit" -> {
                            call(elsewhere, method, given);
                            yield call(client, method, given);
                        }
                        default -> call(client, method, given);
                    };
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
