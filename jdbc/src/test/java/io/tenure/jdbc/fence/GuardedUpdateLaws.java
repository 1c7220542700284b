package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The form of one statement: law 25 and 26 on each database. */
abstract class GuardedUpdateLaws extends JdbcClaimLaws {
    @Test
    void law25_a_guarded_update_tells_no_such_row_from_a_stale_token() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);

        assertThat(scene.fence.guardedUpdate(1, Scene.UPDATE, "mine", scene.job))
                .isEqualTo(1);
        assertThat(scene.fence.guardedUpdate(1, Scene.UPDATE, "mine", Scene.freshJob()))
                .isZero();
        scene.fence.claim(2);
        scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "late", scene.job), 1, 2);
        scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "late", Scene.freshJob()), 1, 2);

        assertThat(scene.status(scene.job)).isEqualTo("mine");
    }

    @Test
    void law25_a_row_that_already_has_what_is_written_is_no_stale_token() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);

        scene.fence.guardedUpdate(1, Scene.UPDATE, "new", scene.job); // how many that changes is up to the driver

        assertThat(scene.status(scene.job)).isEqualTo("new");
    }

    @Test
    void law25_guarded_inserts_and_deletes_and_upserts_are_refused_too() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        int fresh = Scene.freshJob();
        assertThat(scene.fence.guardedUpdate(1, Scene.INSERT, fresh, null)).isEqualTo(1);
        assertThat(scene.status(fresh)).isEqualTo("null");
        assertThat(scene.fence.guardedUpdate(1, upsert(), fresh, "upserted")).isPositive();
        scene.fence.claim(2);

        int never = Scene.freshJob();
        scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.INSERT, never, "late"), 1, 2);
        scene.assertStale(() -> scene.fence.guardedUpdate(1, upsert(), never, "late"), 1, 2);
        scene.assertStale(() -> scene.fence.guardedUpdate(1, "DELETE FROM jobs WHERE id = ?", fresh), 1, 2);

        assertThat(scene.status(never)).isEmpty();
        assertThat(scene.status(fresh)).isEqualTo("upserted");
        assertThat(scene.fence.guardedUpdate(2, "DELETE FROM jobs WHERE id = ?", fresh))
                .isEqualTo(1);
    }

    private String upsert() {
        return switch (database().product()) {
            case POSTGRESQL -> Scene.INSERT + " ON CONFLICT (id) DO UPDATE SET status = excluded.status";
            case MARIADB -> Scene.INSERT + " ON DUPLICATE KEY UPDATE status = VALUES(status)";
            case H2 -> "MERGE INTO jobs (id, status) KEY (id) VALUES (?, ?)";
        };
    }

    @Test
    void law26_a_claim_waits_for_a_guarded_update_that_is_under_way() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction somebody = scene.begin();
        somebody.run(Scene.UPDATE, "locked", scene.job);
        Later<Long> update = Later.of(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "old", scene.job));
        scene.awaitWaiting(1);

        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(2));
        scene.awaitClaimWaitingBesides(1);
        assertThat(claim.isOver()).as("the claim waits").isFalse();
        somebody.commit();
        claim.join();

        assertThat(update.join()).isEqualTo(1);
        assertThat(scene.status(scene.job))
                .as("written before the claim was made")
                .isEqualTo("old");
    }

    @Test
    void law25_a_guarded_update_that_the_database_refuses_writes_nothing_and_is_no_stale_token() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);

        assertThatThrownBy(() -> scene.fence.guardedUpdate(1, Scene.INSERT, scene.job, "twice"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining(scene.name)
                .hasCauseInstanceOf(SQLException.class);
        assertThatThrownBy(() -> scene.fence.guardedUpdate(1, "UPDATE nowhere SET a = 1"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse());

        assertThat(scene.status(scene.job)).isEqualTo("new");
        assertThat(scene.fence.guardedUpdate(1, Scene.UPDATE, "goes on", scene.job))
                .isEqualTo(1);
    }

    @Test
    void law27_too_few_arguments_are_told_by_the_statement_that_was_given_and_nothing_is_written() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);

        assertThatThrownBy(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "few"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContainingAll(scene.name, "the statement has 2 '?', and 1 arguments were given");

        assertThat(scene.status(scene.job)).isEqualTo("new");
        assertThat(scene.fence.guardedUpdate(1, Scene.UPDATE, "goes on", scene.job))
                .isEqualTo(1);
    }

    @Test
    void law25_a_lone_null_among_the_arguments_is_refused_with_how_to_say_what_is_meant() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        String blank = "UPDATE jobs SET status = ? WHERE id = " + scene.job;

        assertThatThrownBy(() -> scene.fence.guardedUpdate(1, blank, (Object[]) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContainingAll("arguments", "(Object) null", "for none leave them out");

        assertThat(scene.status(scene.job)).isEqualTo("new");
        assertThat(scene.fence.guardedUpdate(1, blank, (Object) null)).isEqualTo(1);
        assertThat(scene.status(scene.job)).isEqualTo("null");
    }

    /** For drivers that count them; MariaDB's leaves out those that are too many. */
    final void assertTooManyArgumentsAreTold() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);

        assertThatThrownBy(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "many", scene.job, 3))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(scene.name, "the statement has 2 '?', and 3 arguments were given");

        assertThat(scene.status(scene.job)).isEqualTo("new");
    }

    @Test
    void law25_without_a_claim_every_guarded_update_is_refused() throws SQLException {
        Scene scene = scene();

        scene.assertStale(() -> scene.fence.guardedUpdate(1, Scene.UPDATE, "early", scene.job), 1, 0);
        scene.fence.claim(1);
        scene.assertStale(() -> scene.fence.guardedUpdate(2, Scene.UPDATE, "early", scene.job), 2, 1);

        assertThat(scene.status(scene.job)).isEqualTo("new");
    }
}
