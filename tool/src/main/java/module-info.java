/** The {@code tenure} command. */
@SuppressWarnings("requires-automatic") // Lettuce, H2 and the server binaries come without module descriptors
module io.tenure.tool {
    requires static org.jspecify;
    requires io.tenure;
    requires io.tenure.redis;
    requires io.tenure.jdbc;
    requires info.picocli;
    requires lettuce.core;
    requires embedded.redis;
    requires embedded.postgres;
    requires com.h2database;
    requires com.zaxxer.hikari;

    opens io.tenure.tool to
            info.picocli;
}
