package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mariadb.jdbc.MariaDbDataSource;

class MariaFenceTest extends SharedLockLaws {
    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return MARIA;
    }

    /** The default from 11.6 on. */
    @Test
    void law25_with_snapshot_isolation_a_mark_that_moved_is_a_conflict_and_no_stale_token() throws SQLException {
        Scene scene = scene();
        MariaDbDataSource strict =
                new MariaDbDataSource(MARIA.url() + "?sessionVariables=innodb_snapshot_isolation=ON");
        strict.setUser(MARIA.admin());
        strict.setPassword(MARIA.adminPassword());
        scene.fence.claim(1);
        try (Transaction late = new Transaction(strict.getConnection(), Isolation.REPEATABLE_READ)) {
            assertThat(late.read("SELECT status FROM jobs WHERE id = ?", scene.job))
                    .isEqualTo("new");
            scene.fence.claim(2);

            Scene.assertPassing(catchThrowable(() -> late.require(scene.fence, 1)));
        }
        scene.assertRefused(Isolation.REPEATABLE_READ, 1, 2);
    }
}
