package io.tenure.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Remembers the statements that were prepared on the connections of a data source. */
final class CountedStatements {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    DataSource over(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = call(source, method, arguments);
                    return answer instanceof Connection connection ? counting(connection) : answer;
                });
    }

    private Connection counting(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        seen.add((String) arguments[0]);
                    }
                    return call(connection, method, arguments);
                });
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    void forget() {
        seen.clear();
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
