package io.tenure.jdbc;

/**
 * The statements for databases in which no single one could look, decide and answer: MariaDB, MySQL and H2. A row is read,
 * and what is decided about it is written only if it is still of the same version. So no lock is ever held between two
 * statements, whose order could dead-lock, and a denial writes and locks nothing; and nothing depends on the isolation
 * level, since every statement is a transaction of its own.
 *
 * <p>Rows that were deleted come back with versions from 1; the counter tells them from the old ones, which it has passed.
 *
 * <p>Clocks are those of the statement that writes, read when it began: after its request arrived and so after the moment
 * from which the client counts its deadline. A lease never lasts shorter than its holder believes. On MariaDB and MySQL
 * all is in UTC: the time zone of a session, and its summers, do not come into it.
 */
final class PortableSql {
    private static final String STILL = " WHERE name = ? AND version = ? AND counter = ?";
    private static final String WHOLLY = " WHERE name = ? AND holder = ? AND incarnation = ? AND attempt = ?";
    private static final String FORGET_AT = """
            forget_at = CASE
              WHEN ? = 0 OR forget_at IS NULL THEN NULL
              WHEN forget_at >= ${later} THEN forget_at
              ELSE ${later}
            END""";

    final String read;
    final String insert;
    final String grant;
    final String renew;
    final String restore;
    final String release;
    final String burn;
    final String enterLine;
    final String list;
    final String overdue;
    final String forget;

    /**
     * @param now the moment at which the statement began
     * @param later that and a parameter of microseconds; null when the parameter is
     * @param until microseconds from now until {@code ?}, which stands for a column
     * @param micros now, in microseconds of the epoch
     */
    private PortableSql(LeaseTable table, String now, String later, String until, String micros) {
        Dictionary words = new Dictionary(table, now, later, until, micros);
        read = words.in("""
                SELECT ${micros} AS micros, l.version, l.holder, l.incarnation, l.attempt, l.token, l.counter,
                  ${until:l.expires_at} AS remaining, ${until:l.forget_at} AS forget_in, l.waiters
                FROM (SELECT 1 AS one) o LEFT JOIN ${table} l ON l.name = ?""");
        insert = words.in("""
                INSERT INTO ${table}
                  (name, kind, holder, incarnation, attempt, token, counter, expires_at, forget_at, waiters, version)
                VALUES (?, ?, ?, ?, ?, ?, ?, ${later}, ${later}, '', 1)""");
        grant = words.in("""
                UPDATE ${table} SET kind = ?, holder = ?, incarnation = ?, attempt = ?, token = ?, counter = ?,
                  expires_at = ${later}, forget_at = ${later}, waiters = ?, version = version + 1""" + STILL);
        String lasting =
                "UPDATE ${table} SET kind = ?, expires_at = ${later}, " + FORGET_AT + ", version = version + 1";
        renew = words.in(lasting + WHOLLY + " AND token = ? AND counter = token AND expires_at > ${now}");
        restore = words.in(lasting + ", counter = token" + STILL + " AND expires_at > ${now}");
        release = words.in("UPDATE ${table} SET expires_at = ${later}, version = version + 1" + WHOLLY
                + " AND (? = 0 OR token = ?) AND expires_at > ${now}");
        burn = words.in("""
                UPDATE ${table} SET expires_at = CASE WHEN ? THEN ${later} ELSE expires_at END, version = version + 1,
                  counter = ?""" + STILL);
        enterLine = words.in("UPDATE ${table} SET waiters = ?, version = version + 1" + STILL);
        list = words.in("""
                SELECT name, holder, incarnation, attempt, token, ${until:expires_at} AS remaining FROM ${table}
                WHERE name >= ? AND (? OR name < ?) AND expires_at > ${now} ORDER BY name LIMIT ?""");
        overdue = words.in("""
                SELECT name, version, counter FROM ${table}
                WHERE forget_at < ${now} AND (expires_at IS NULL OR expires_at < ${now}) LIMIT ?""");
        forget = words.in("DELETE FROM ${table}" + STILL);
    }

    static PortableSql of(LeaseTable table) {
        return table.dialect() == Dialect.H2
                ? new PortableSql(
                        table,
                        "CURRENT_TIMESTAMP(6)",
                        "DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP(6))",
                        "DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP(6), ?)",
                        "DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP(6))")
                : new PortableSql(
                        table,
                        "UTC_TIMESTAMP(6)",
                        "(UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)",
                        "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), ?)",
                        "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))");
    }

    /** What statements say in the words of a database. */
    private record Dictionary(LeaseTable table, String now, String later, String until, String micros) {
        String in(String sql) {
            String timed = sql.replace("${now}", now).replace("${later}", later).replace("${micros}", micros);
            StringBuilder done = new StringBuilder(timed);
            String mark = "${until:";
            for (int at = done.indexOf(mark); at >= 0; at = done.indexOf(mark)) {
                int end = done.indexOf("}", at);
                done.replace(at, end + 1, until.replace("?", done.substring(at + mark.length(), end)));
            }
            return table.in(done.toString());
        }
    }
}
