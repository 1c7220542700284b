/** Leases and fences in SQL databases. Drivers are the user's. */
module io.tenure.jdbc {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires transitive java.sql;
    requires static org.postgresql.jdbc; // for its notifications alone

    exports io.tenure.jdbc;
}
