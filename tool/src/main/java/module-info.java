/** The {@code tenure} command. */
@SuppressWarnings("requires-automatic") // Lettuce and the server binaries come without module descriptors
module io.tenure.tool {
    requires static org.jspecify;
    requires io.tenure;
    requires io.tenure.redis;
    requires info.picocli;
    requires lettuce.core;
    requires embedded.redis;

    opens io.tenure.tool to
            info.picocli;
}
