package io.tenure.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Data sources that do something to each connection before they give it away. */
final class Wrapped {
    private Wrapped() {}

    @FunctionalInterface
    interface Preparation {
        void of(Connection connection) throws SQLException;
    }

    static DataSource each(DataSource source, Preparation preparation) {
        return (DataSource) Proxy.newProxyInstance(
                Wrapped.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(source, arguments);
                        if (result instanceof Connection connection) {
                            preparation.of(connection);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
