package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StaleTokenException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence in the caller's transactions: laws 25 and 26 on each database. */
abstract class JdbcFenceLaws {
    private @Nullable Scene prepared;

    abstract SqlDatabase database();

    DataSource source() throws SQLException {
        return database().dataSource();
    }

    @BeforeEach
    void prepare() throws SQLException {
        prepared = new Scene(database(), source());
    }

    @AfterEach
    void close() throws SQLException {
        scene().close();
    }

    final Scene scene() {
        if (prepared == null) {
            throw new IllegalStateException("not prepared");
        }
        return prepared;
    }

    @ParameterizedTest
    @EnumSource
    void law26_a_claim_waits_for_the_open_transaction_of_a_predecessor_which_is_refused_afterwards(Isolation isolation)
            throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction old = scene.begin(isolation).require(scene.fence, 1);
        old.run(Scene.UPDATE, "old", scene.job);

        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(2));
        scene.awaitClaimWaiting();
        assertThat(claim.isOver()).as("the claim waits").isFalse();
        old.commit();
        claim.join();

        assertThat(scene.status(scene.job)).as("what it had begun counts").isEqualTo("old");
        scene.assertRefused(isolation, 1, 2);
        Transaction successor = scene.begin(isolation).require(scene.fence, 2);
        successor.run(Scene.UPDATE, "successor", scene.job);
        successor.commit();
        assertThat(scene.status(scene.job)).isEqualTo("successor");
    }

    @ParameterizedTest
    @EnumSource
    void law25_whoever_requires_its_token_while_the_mark_is_being_raised_is_not_let_through(Isolation isolation)
            throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction raising = scene.begin();
        raising.run("UPDATE tenure_fence SET token = 2 WHERE token = 1 AND part = 'mark'");
        Transaction late = scene.begin(isolation);
        Later<Boolean> require = Later.doing(() -> late.require(scene.fence, 1));
        scene.awaitWaiting(1);

        raising.commit();

        Scene.assertNotAdmitted(require::join);
        late.close();
        scene.assertRefused(isolation, 1, 2);
    }

    @ParameterizedTest
    @EnumSource
    void law25_a_snapshot_from_before_the_claim_lets_nobody_through(Isolation isolation) throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction late = scene.begin(isolation);
        assertThat(late.read("SELECT status FROM jobs WHERE id = ?", scene.job)).isEqualTo("new");
        scene.fence.claim(2);

        Scene.assertNotAdmitted(() -> late.require(scene.fence, 1));
    }

    @Test
    void law25_a_token_is_refused_until_it_is_claimed_also_when_it_is_higher() throws SQLException {
        Scene scene = scene();
        scene.assertRefused(2, 0);
        scene.fence.claim(1);
        scene.assertRefused(2, 1);
        scene.fence.claim(2);
        scene.begin().require(scene.fence, 2);
    }

    @Test
    void law25_a_first_write_of_a_row_is_refused_as_any_other() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        scene.fence.claim(2);
        int fresh = Scene.freshJob();

        try (Transaction late = scene.begin()) {
            scene.assertStale(() -> late.require(scene.fence, 1).run(Scene.INSERT, fresh, "late"), 1, 2);
        }

        assertThat(scene.status(fresh)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void law25_a_name_that_nobody_claimed_is_refused_and_two_that_required_it_dead_lock_nobody(Isolation isolation)
            throws Exception {
        Scene scene = scene();
        Transaction one = scene.begin(isolation);
        Transaction other = scene.begin(isolation);
        assertThatThrownBy(() -> one.require(scene.fence, 1))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("never claimed here");
        scene.assertStale(() -> other.require(scene.fence, 1), 1, 0);

        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(1));
        one.close();
        other.close();
        claim.join();

        scene.begin(isolation).require(scene.fence, 1);
    }

    @Test
    void law25_two_threads_of_one_leader_never_dead_lock() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        List<Later<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Later.doing(() -> {
                for (int round = 0; round < 20; round++) {
                    try (Transaction transaction =
                            new Transaction(scene.source().getConnection(), Isolation.READ_COMMITTED)) {
                        transaction.require(scene.fence, 1).run(Scene.UPDATE, "round " + round, scene.job);
                        transaction.commit();
                    }
                    scene.fence.claim(1);
                }
            }));
        }

        for (Later<Boolean> thread : threads) {
            thread.join();
        }

        assertThat(scene.status(scene.job)).isEqualTo("round 19");
    }

    @Test
    void law25_a_connection_with_auto_commit_on_is_refused_with_what_to_do() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        try (Connection connection = scene.source().getConnection()) {
            assertThatThrownBy(() -> scene.fence.require(connection, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(scene.name, "setAutoCommit(false)");
        }
    }

    @Test
    void law25_fences_of_several_names_do_not_wait_for_each_other() throws SQLException {
        Scene scene = scene();
        JdbcFence other = JdbcFence.over(scene.source(), scene.name + "2");
        scene.fence.claim(1);
        scene.begin().require(scene.fence, 1);

        other.claim(7);
        other.claim(8);

        assertThat(other.guardedUpdate(8, Scene.UPDATE, "other", scene.job)).isEqualTo(1);
        scene.begin().require(other, 8);
    }
}
