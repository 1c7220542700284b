package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What databases with shared locks of rows can do besides. */
abstract class SharedLockLaws extends GuardedUpdateLaws {
    /** A statement that was only left alone would wait on at the server, and have the mark locked. */
    @Test
    void law26_a_guarded_update_that_may_not_take_so_long_is_given_up_by_the_server_too() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        JdbcFence impatient = scene.fence(
                JdbcFenceOptions.builder().updateTimeout(Duration.ofSeconds(1)).build());
        Transaction somebody = scene.begin();
        somebody.run(Scene.UPDATE, "locked", scene.job);

        Throwable failure =
                catchThrowable(Later.of(() -> impatient.guardedUpdate(1, Scene.UPDATE, "too late", scene.job))::join);

        assertThat(failure)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        told -> assertThat(told.isTransient()).isTrue())
                .hasMessageContainingAll("updateTimeout (PT1S) was reached", "Nothing was written", "call it again");
        Later.doing(() -> scene.fence.claim(2)).join(); // while that row is locked as before
        somebody.commit();
        assertThat(scene.status(scene.job)).isEqualTo("locked");
    }

    @ParameterizedTest
    @EnumSource
    void law25_transactions_of_one_leader_run_side_by_side(Isolation isolation) throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        int second = Scene.freshJob();

        Transaction one = scene.begin(isolation).require(scene.fence, 1);
        Transaction other = scene.begin(isolation).require(scene.fence, 1);
        one.run(Scene.UPDATE, "one", scene.job);
        other.run(Scene.INSERT, second, "other");
        assertThat(scene.fence.guardedUpdate(1, Scene.INSERT, Scene.freshJob(), "third"))
                .isEqualTo(1);
        one.commit();
        other.commit();

        assertThat(scene.status(scene.job)).isEqualTo("one");
        assertThat(scene.status(second)).isEqualTo("other");
    }
}
