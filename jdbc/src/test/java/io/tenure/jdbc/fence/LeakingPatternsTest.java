package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Fences that look right and are not, each with what gets through it, and what the fence of this library makes of the same
 * order of events. On PostgreSQL, at READ COMMITTED. The old leader has token 1, its successor 2.
 */
class LeakingPatternsTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    private static final String CLAIM = "UPDATE naive SET mark = ? WHERE name = ? AND mark < ?";

    private Scene scene;

    @BeforeEach
    void prepare() throws SQLException {
        scene = new Scene(POSTGRES, POSTGRES.dataSource());
        POSTGRES.execute(
                "CREATE TABLE IF NOT EXISTS naive (name text PRIMARY KEY, mark bigint NOT NULL)",
                "ALTER TABLE jobs ADD COLUMN IF NOT EXISTS fence bigint NOT NULL DEFAULT 0",
                "INSERT INTO naive VALUES ('" + scene.name + "', 1)");
        scene.fence.claim(1);
    }

    @AfterEach
    void close() throws SQLException {
        scene.close();
    }

    /** Every row remembers the token of its last write, and refuses a lower one. */
    @Test
    void a_fence_column_in_each_row_lets_late_writes_into_rows_that_the_successor_has_not_touched()
            throws SQLException {
        String guarded = "UPDATE jobs SET status = ?, fence = ? WHERE id = ? AND fence <= ?";
        int untouched = Scene.freshJob();
        int born = Scene.freshJob();
        POSTGRES.execute("INSERT INTO jobs (id, status) VALUES (" + untouched + ", 'new')");
        Transaction successor = scene.begin();
        assertThat(successor.run(guarded, "successor", 2, scene.job, 2)).isEqualTo(1);
        successor.commit();

        Transaction late = scene.begin();
        assertThat(late.run(guarded, "late", 1, scene.job, 1)).as("as intended").isZero();
        assertThat(late.run(guarded, "late", 1, untouched, 1)).as("leaks").isEqualTo(1);
        assertThat(late.run("INSERT INTO jobs (id, status, fence) VALUES (?, 'late', 1)", born))
                .as("leaks: a first write meets no row that could refuse it")
                .isEqualTo(1);
        late.close();

        scene.fence.claim(2);
        for (int row : List.of(scene.job, untouched)) {
            scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "late", row), 1, 2);
        }
        scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.INSERT, born, "late"), 1, 2);
    }

    /** A lock, but one that does not keep the mark from moving: it only keeps the row from being deleted. */
    @Test
    void for_key_share_lets_the_successor_pass_a_transaction_that_is_still_writing() throws Exception {
        Transaction old = scene.begin();
        assertThat(old.read("SELECT mark FROM naive WHERE name = ? FOR KEY SHARE", scene.name))
                .isEqualTo("1");
        Transaction claim = scene.begin();
        assertThat(claim.run(CLAIM, 2, scene.name, 2))
                .as("leaks: the claim waits for nobody")
                .isEqualTo(1);
        claim.commit();
        assertThat(scene.status(scene.job)).as("what the successor goes by").isEqualTo("new");
        old.run(Scene.UPDATE, "late", scene.job);
        old.commit();
        assertThat(scene.status(scene.job)).as("changed under its feet").isEqualTo("late");

        assertTheClaimWaitsFor("old");
    }

    /** The mark is looked at by the very statement that writes, but nothing keeps it there. */
    @Test
    void a_sub_select_without_a_lock_lets_a_statement_overwrite_what_the_successor_wrote_meanwhile() throws Exception {
        String guarded = Scene.UPDATE + " AND (SELECT mark FROM naive WHERE name = ?) = ?";
        Transaction successor = scene.begin();
        successor.run(CLAIM, 2, scene.name, 2);
        successor.run(Scene.UPDATE, "successor", scene.job);
        Transaction old = scene.begin();
        Later<Integer> late = Later.of(() -> old.run(guarded, "late", scene.job, scene.name, 1));
        scene.awaitWaiting(1);
        successor.commit();

        assertThat(late.join())
                .as("leaks: when it goes on it looks at the row again, but at the mark as it was")
                .isEqualTo(1);
        old.commit();
        assertThat(scene.status(scene.job)).isEqualTo("late");

        assertTheClaimWaitsFor("old");
    }

    /** To accept what is not lower needs no claim, and so nothing says when the predecessor is refused. */
    @Test
    void not_lower_than_the_mark_lets_predecessor_and_successor_write_in_turns() throws SQLException {
        for (long token : List.of(1L, 2L, 1L)) {
            Transaction writer = scene.begin();
            long mark = Long.parseLong(writer.read("SELECT mark FROM naive WHERE name = ? FOR SHARE", scene.name));
            assertThat(mark).as("leaks: token %d is let through", token).isLessThanOrEqualTo(token);
            writer.run(Scene.UPDATE, "by " + token, scene.job);
            writer.commit();
        }
        assertThat(scene.status(scene.job)).isEqualTo("by 1");

        scene.assertRefused(2, 1);
        scene.fence.claim(2);
        scene.assertRefused(1, 2);
        scene.begin().require(scene.fence, 2);
    }

    /** So the first writer raises it: of two at once, each waits for the shared lock of the other. */
    @Test
    void raising_the_mark_inside_dead_locks_two_transactions_of_one_leader() throws Exception {
        Transaction one = scene.begin();
        Transaction other = scene.begin();
        for (Transaction each : List.of(one, other)) {
            assertThat(each.read("SELECT mark FROM naive WHERE name = ? FOR SHARE", scene.name))
                    .isEqualTo("1");
        }
        Later<Integer> first = Later.of(() -> one.run(CLAIM, 2, scene.name, 2));
        scene.awaitWaiting(1);
        assertThatThrownBy(() -> {
                    other.run(CLAIM, 2, scene.name, 2);
                    other.close();
                    first.join();
                })
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as("dead-lock").isEqualTo("40P01"));
        other.close();
        one.close();

        scene.fence.claim(2);
        Transaction left = scene.begin().require(scene.fence, 2);
        Transaction right = scene.begin().require(scene.fence, 2);
        left.run(Scene.UPDATE, "left", scene.job);
        right.run(Scene.INSERT, Scene.freshJob(), "right");
        right.commit();
        left.commit();
        assertThat(scene.status(scene.job)).isEqualTo("left");
    }

    /** No leak, but no end either: whoever wants a shared lock is let past the one who waits for all of them to go. */
    @Test
    void a_claim_that_is_not_announced_waits_as_long_as_the_old_leader_goes_on() throws Exception {
        String shared = "SELECT mark FROM naive WHERE name = ? FOR SHARE";
        Transaction held = scene.begin();
        held.read(shared, scene.name);
        Later<Integer> claim = Later.of(() -> {
            try (Transaction transaction = scene.begin()) {
                return transaction.run(CLAIM, 2, scene.name, 2);
            }
        });
        scene.awaitWaiting(1);
        for (int overtakes = 0; overtakes < 10; overtakes++) {
            Transaction next = scene.begin();
            assertThat(next.read(shared, scene.name)).as("overtakes").isEqualTo("1");
            held.close();
            held = next;
            assertThat(claim.isOver()).as("starves").isFalse();
        }
        held.close();
        assertThat(claim.join()).isEqualTo(1);

        Transaction old = scene.begin().require(scene.fence, 1);
        Later<Boolean> announced = Later.doing(() -> scene.fence.claim(2));
        scene.awaitAnnounced(2);
        scene.assertRefused(1, 2);
        old.close();
        announced.join();
    }

    private void assertTheClaimWaitsFor(String status) throws Exception {
        Transaction old = scene.begin().require(scene.fence, 1);
        old.run(Scene.UPDATE, status, scene.job);
        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(2));
        scene.awaitWaiting(1);
        assertThat(claim.isOver()).isFalse();
        old.commit();
        claim.join();
        assertThat(scene.status(scene.job))
                .as("there when the successor begins")
                .isEqualTo(status);
        scene.assertRefused(1, 2);
    }
}
