/** Leases and fences in SQL databases. Drivers are the user's. */
module io.tenure.jdbc {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires transitive java.sql;

    exports io.tenure.jdbc;
}
