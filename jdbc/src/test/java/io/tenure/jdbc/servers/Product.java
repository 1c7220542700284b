package io.tenure.jdbc.servers;

/** Which servers there are to test on. */
public enum Product {
    POSTGRESQL {
        @Override
        SqlServer start() throws Exception {
            return new PostgresServer();
        }
    },
    MARIADB {
        @Override
        SqlServer start() throws Exception {
            return MariaServer.start();
        }
    },
    H2 {
        @Override
        SqlServer start() {
            return new H2Server();
        }
    };

    abstract SqlServer start() throws Exception;
}
