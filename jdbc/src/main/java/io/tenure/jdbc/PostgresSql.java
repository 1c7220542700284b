package io.tenure.jdbc;

/**
 * The statements for PostgreSQL. Each verb is one: it looks at the row as its snapshot has it, decides by that, and writes
 * only if the row is still of the same version. Where it is not, nothing is written, which shows in the answer, and the
 * statement is run again. So what is decided is decided about the row that is written, at every isolation level, and a
 * denial writes and locks nothing.
 *
 * <p>What is usual has a statement of its own, tried first: it is one guarded update, which takes the server half as long,
 * and where it hits no row, it wrote and locked nothing, and the verb's full statement decides. An update that had to wait
 * for its row checks every guard again on what the row became.
 *
 * <p>The clock is read once a statement, after its request arrived and so after the moment from which the client counts
 * its deadline: a lease never lasts shorter than its holder believes. A statement that has to wait for a row goes by a
 * clock that is a little behind then, to which leases are alive rather than over.
 */
final class PostgresSql {
    /** The row of one name, whether there is one or not, and whether its lease is alive. */
    private static final String SEEN = """
            seen AS (
              SELECT a.*, l.version, l.kind AS its_kind, l.holder AS its_holder, l.incarnation AS its_incarnation,
                l.attempt AS its_attempt, l.token AS its_token, l.counter, l.expires_at, l.forget_at, l.waiters,
                coalesce(l.expires_at > a.now, false) AS live,
                coalesce((extract(epoch FROM l.expires_at - a.now) * 1000000)::bigint, 0) AS remaining,
                (extract(epoch FROM a.now) * 1000000)::bigint AS micros
              FROM asked a LEFT JOIN ${table} l ON l.name = a.name
            )""";

    /**
     * Grants what was released or ran out to whoever comes first, and nothing else: not where there is a line, a row that
     * does not reach the asker's floor, or one whose tokens would have to be kept longer. The clock is the moment that the
     * request arrived: being the same wherever it stands in a statement, it lets the planner write it into the update and
     * run nothing else, and the token and the counter agree all the same. As a double it is exact to the microsecond still,
     * and takes a fraction of the time.
     */
    static final String ACQUIRE_FREE = """
            UPDATE ${table} l SET kind = a.kind, holder = a.holder, incarnation = a.incarnation, attempt = a.attempt,
              token = greatest(l.counter, l.token, CASE WHEN a.micros <= a.sane_micros THEN a.micros END) + 1,
              counter = greatest(l.counter, l.token, CASE WHEN a.micros <= a.sane_micros THEN a.micros END) + 1,
              expires_at = a.now + a.ttl * interval '1 ms',
              version = l.version + 1
            FROM (
              SELECT q.*, (date_part('epoch', q.now) * 1000000)::bigint AS micros
              FROM (
                SELECT ?::text AS name, ?::text AS kind, ?::text AS holder, ?::text AS incarnation, ?::bigint AS attempt,
                  ?::bigint AS ttl, ?::bigint AS floor, ?::bigint AS keep, ?::bigint AS sane_micros,
                  ?::bigint AS token_limit, statement_timestamp() AS now
              ) q
            ) a
            WHERE l.name = a.name AND (l.expires_at IS NULL OR l.expires_at <= a.now) AND l.waiters = ''
              AND (l.forget_at IS NULL OR a.keep > 0 AND l.forget_at >= a.now + a.keep * interval '1 ms')
              AND l.counter >= a.floor AND l.counter < a.token_limit - 1 AND l.token < a.token_limit - 1
            RETURNING l.token, a.micros""";

    /** Tokens are forgotten an eighth later than asked for, so that not every use has to move an entry of the index. */
    static final String ACQUIRE = """
            WITH asked AS (
              SELECT ?::text AS name, ?::text AS kind, ?::text AS holder, ?::text AS incarnation, ?::bigint AS attempt,
                ?::bigint AS ttl, ?::bigint AS floor, ?::int AS takeover, ?::bigint AS keep, ?::bigint AS sane_micros,
                ?::bigint AS token_limit, ?::text AS entry, clock_timestamp() AS now
            ),
            """ + SEEN + """
            ,
            judged AS (
              SELECT s.*, live AND its_holder = holder AND its_incarnation = incarnation AND its_attempt = attempt AS same,
                NOT live OR its_holder = holder AND CASE
                  WHEN its_incarnation = incarnation THEN takeover > 0 AND its_attempt < attempt
                  ELSE takeover > 1 AND its_incarnation <> ''
                END AS free,
                coalesce(NOT live AND forget_at <= now, false) AS forgotten
              FROM seen s
            ),
            counted AS (
              SELECT j.*, CASE WHEN version IS NULL OR forgotten THEN 0 ELSE counter END AS stood,
                greatest(floor, CASE WHEN micros <= sane_micros THEN micros END,
                  CASE WHEN NOT forgotten THEN greatest(counter, its_token) END) AS top
              FROM judged j
            ),
            granted AS (
              INSERT INTO ${table} AS l (name, kind, holder, incarnation, attempt, token, counter, expires_at, forget_at,
                waiters, version)
              SELECT name, kind, holder, incarnation, attempt,
                CASE WHEN same THEN its_token ELSE top + 1 END,
                CASE WHEN same THEN counter ELSE top + 1 END,
                now + ttl * interval '1 ms',
                CASE
                  WHEN keep = 0 OR NOT forgotten AND version IS NOT NULL AND forget_at IS NULL THEN NULL
                  WHEN forget_at >= now + keep * interval '1 ms' THEN forget_at
                  ELSE now + keep * interval '1.125 ms'
                END,
                CASE
                  WHEN waiters LIKE '%' || incarnation || '%' THEN ltrim(regexp_replace('#' || waiters, entry, ''), '#')
                  ELSE coalesce(waiters, '')
                END,
                coalesce(version, 0) + 1
              FROM counted
              WHERE same OR free AND top < token_limit - 1
              ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, holder = excluded.holder,
                incarnation = excluded.incarnation, attempt = excluded.attempt, token = excluded.token,
                counter = excluded.counter, expires_at = excluded.expires_at, forget_at = excluded.forget_at,
                waiters = excluded.waiters, version = excluded.version
              WHERE (l.version, l.counter) = (SELECT version, counter FROM counted)
              RETURNING l.token
            )
            SELECT g.token AS granted_token, c.same, c.free, c.stood, c.top, c.micros, c.name, c.its_holder,
              c.its_incarnation, c.its_attempt, c.its_token, c.remaining, c.version, c.counter, c.waiters
            FROM counted c LEFT JOIN granted g ON true""";

    private static final String RENEWED = """
            renewed AS (
              UPDATE ${table} l SET kind = a.kind, expires_at = a.now + a.ttl * interval '1 ms',
                counter = a.token,
                forget_at = CASE
                  WHEN a.keep = 0 OR l.forget_at IS NULL THEN NULL
                  WHEN l.forget_at >= a.now + a.keep * interval '1 ms' THEN l.forget_at
                  ELSE a.now + a.keep * interval '1.125 ms'
                END,
                version = l.version + 1
              FROM asked a
              WHERE l.name = a.name AND l.holder = a.holder AND l.incarnation = a.incarnation AND l.attempt = a.attempt
                AND l.token = a.token AND l.counter <= a.token AND l.expires_at > a.now""";

    /** What a renewal answers: a row for each claim, which tells also whether it ought to have been renewed. */
    private static final String FATES = """

            SELECT s.*, r.name IS NOT NULL AS renewed,
              live AND its_holder = holder AND its_incarnation = incarnation AND its_attempt = attempt
                AND its_token = s.token AND counter <= s.token AS renewable
            FROM fates s LEFT JOIN renewed r ON r.name = s.name AND r.token = s.token""";

    static final String RENEW = """
            WITH asked AS (
              SELECT ?::text AS name, ?::text AS kind, ?::text AS holder, ?::text AS incarnation, ?::bigint AS attempt,
                ?::bigint AS token, ?::bigint AS ttl, ?::bigint AS keep, clock_timestamp() AS now
            ),
            """ + SEEN + ",\n" + RENEWED + """

              RETURNING l.name, l.token
            ),
            fates AS (SELECT * FROM seen)
            """ + FATES;

    /**
     * Many at once, in the order of their names, so that two batches do not wait for each other. A row that somebody has
     * locked is left out: it must not cost the others their leases.
     */
    static final String RENEW_ALL = """
            WITH clock AS (SELECT clock_timestamp() AS now),
            asked AS (
              SELECT u.*, c.now
              FROM clock c, unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[],
                ?::bigint[]) WITH ORDINALITY AS u(name, kind, holder, incarnation, attempt, token, ttl, keep, number)
            ),
            """ + SEEN + """
            ,
            locked AS (
              SELECT l.name FROM ${table} l WHERE l.name IN (SELECT name FROM asked)
              ORDER BY l.name FOR UPDATE SKIP LOCKED
            ),
            """ + RENEWED + """

                AND l.name IN (SELECT name FROM locked)
              RETURNING l.name, l.token
            ),
            fates AS (SELECT * FROM seen)
            """ + FATES + " ORDER BY s.number";

    /**
     * {@code token} 0 stands for whatever this attempt was granted; {@code hold} is how long the name stays taken. To burn
     * late is to burn the token of a lease that ran out: until the next grant it is current, and abandoned work may write.
     */
    private static final String ENDED = """
            WITH asked AS (
              SELECT ?::text AS name, ?::text AS holder, ?::text AS incarnation, ?::bigint AS attempt, ?::bigint AS token,
                ?::bigint AS hold, ?::boolean AS burn, ?::boolean AS burn_late, ?::bigint AS sane_micros, ?::bigint AS token_limit,
                ?::text AS line, ?::bigint AS line_version, clock_timestamp() AS now
            ),
            """ + SEEN + """
            ,
            judged AS (
              SELECT s.*,
                live AND its_holder = holder AND its_incarnation = incarnation AND its_attempt = attempt
                  AND token IN (0, its_token) AS ours,
                burn_late AND NOT live AND token = greatest(counter, its_token) AS ran_out,
                greatest(counter, its_token, CASE WHEN micros <= sane_micros THEN micros END) AS top
              FROM seen s
            ),
            ended AS (
              UPDATE ${table} l SET
                expires_at = CASE
                  WHEN NOT j.ours THEN l.expires_at
                  WHEN j.hold > 0 THEN j.now + j.hold * interval '1 ms'
                END,
                counter = CASE WHEN j.burn THEN j.top + 1 ELSE l.counter END,
                waiters = coalesce(j.line, l.waiters),
                version = l.version + 1
              FROM judged j
              WHERE l.name = j.name AND l.version = j.version AND l.counter = j.counter
                AND (j.ours AND (j.waiters = '' OR j.line_version = j.version) OR j.ran_out)
                AND (NOT j.burn OR j.top < j.token_limit - 1)
              RETURNING l.name
            )
            """;

    /** Ends a lease that nobody waits for. */
    static final String RELEASE_UNAWAITED = """
            UPDATE ${table} SET expires_at = NULL, version = version + 1
            WHERE name = ? AND holder = ? AND incarnation = ? AND attempt = ? AND token = ?
              AND expires_at > statement_timestamp() AND waiters = ''""";

    /** Does so too, or answers who waits: then the line is known without another look. */
    static final String RELEASE_OR_SEE = "WITH ended AS (" + RELEASE_UNAWAITED + """
             RETURNING name)
            SELECT EXISTS (SELECT FROM ended) AS ended, l.waiters, l.version,
              (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS micros
            FROM ${table} l WHERE l.name = ?""";

    /** No more than is looked at: every column costs, and there are thirty. */
    private static final String END =
            "j.ours, j.ran_out, j.top, j.waiters, j.micros, j.version, e.name IS NOT NULL AS ended";

    /** Does nothing to a lease that somebody waits for, and answers who: only then there is a line to be written. */
    static final String RELEASE = ENDED + "SELECT " + END + " FROM judged j LEFT JOIN ended e ON true";

    private static final String SAID =
            "(SELECT count(pg_notify(w.channel, w.word)) FROM unnest(?::text[], ?::text[]) AS w(channel, word))";

    /** The words are said with the commit, or not at all. */
    static final String RELEASE_AND_TELL = ENDED + "SELECT " + END + ", CASE WHEN e.name IS NOT NULL THEN " + SAID
            + " END AS said FROM judged j LEFT JOIN ended e ON true";

    static final String FIND = """
            WITH asked AS (SELECT ?::text AS name, clock_timestamp() AS now),
            """ + SEEN + " SELECT * FROM seen";

    /** From the prefix to what comes after all that start with it. */
    static final String LIST = """
            WITH asked AS (SELECT ?::text AS low, ?::text AS high, clock_timestamp() AS now)
            SELECT l.name, l.holder AS its_holder, l.incarnation AS its_incarnation, l.attempt AS its_attempt,
              l.token AS its_token, (extract(epoch FROM l.expires_at - a.now) * 1000000)::bigint AS remaining
            FROM ${table} l, asked a
            WHERE l.name >= a.low COLLATE "C" AND (a.high IS NULL OR l.name < a.high COLLATE "C") AND l.expires_at > a.now
            ORDER BY l.name LIMIT ?""";

    /** The line is kept with the row, and is written only by who has seen all of it. */
    static final String ENTER_LINE =
            "UPDATE ${table} SET waiters = ?, version = version + 1 WHERE name = ? AND version = ? AND counter = ?";

    static final String TELL = "WITH written AS (" + ENTER_LINE + " RETURNING name) SELECT " + SAID + " FROM written";

    static final String FORGET = """
            DELETE FROM ${table} WHERE name IN (
              SELECT name FROM ${table}
              WHERE forget_at < clock_timestamp() AND (expires_at IS NULL OR expires_at < clock_timestamp())
              LIMIT ? FOR UPDATE SKIP LOCKED)""";

    private PostgresSql() {}
}
