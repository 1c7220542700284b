package io.tenure.tool.demo.sql;

import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.JdbcStoreOptions;
import io.tenure.tool.demo.Names;
import java.time.Duration;
import java.util.List;

/**
 * The tables of one demo: names of their own, so that a given database is left as it was.
 *
 * @param lease where leases are
 * @param fence where marks are
 * @param register where leaders write: one row for each way, with the writer
 */
record Tables(String lease, String fence, String register) {
    /** Half of what a lease lasts, so that a renewal that hangs is over in time for another. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

    private static final int CALLS_AT_ONCE = 4;

    static Tables of(Names names) {
        String base = names.role().replace('-', '_');
        return new Tables(base + "_lease", base + "_fence", base + "_register");
    }

    /** How many connections a contender needs: for calls, for the fence, and to be told of releases. */
    static int connections() {
        return CALLS_AT_ONCE + 2;
    }

    JdbcStoreOptions leaseOptions() {
        return JdbcStoreOptions.builder()
                .table(lease)
                .callTimeout(CALL_TIMEOUT)
                .maxThreads(CALLS_AT_ONCE)
                .build();
    }

    JdbcFenceOptions fenceOptions() {
        return JdbcFenceOptions.builder().table(fence).build();
    }

    String update() {
        return "UPDATE " + register + " SET writer = ? WHERE way = ?";
    }

    /** What deletes them all. The table of leases was made with its name in quotes. */
    List<String> drop() {
        return List.of(
                "DROP TABLE IF EXISTS " + register,
                "DROP TABLE IF EXISTS " + fence,
                "DROP TABLE IF EXISTS \"" + lease + "\"");
    }
}
