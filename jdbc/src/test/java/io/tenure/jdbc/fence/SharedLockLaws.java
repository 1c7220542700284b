package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What databases with shared locks of rows can do besides. */
abstract class SharedLockLaws extends GuardedUpdateLaws {
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
