package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2FenceTest extends GuardedUpdateLaws {
    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    @Override
    SqlDatabase database() {
        return H2;
    }

    @Test
    void law27_too_many_arguments_are_told_by_the_statement_that_was_given() throws SQLException {
        assertTooManyArgumentsAreTold();
    }

    /** As the page says: with more than one statement the number tells nothing. */
    @Test
    void case_of_several_statements_in_one_update_the_first_alone_is_counted() throws SQLException {
        JdbcFence.createSchema(H2.dataSource());
        JdbcFence fence = JdbcFence.over(H2.dataSource(), "several");
        fence.claim(1);
        H2.execute("CREATE TABLE several (id INT PRIMARY KEY)");

        assertThat(fence.guardedUpdate(1, "UPDATE several SET id = 2; INSERT INTO several VALUES (1)"))
                .isZero();

        assertThat(fence.guardedUpdate(1, "DELETE FROM several")).isEqualTo(1);
    }

    @Test
    void law25_transactions_of_one_leader_run_one_after_another() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction one = scene.begin().require(scene.fence, 1);
        Later<Boolean> second = Later.doing(() -> scene.begin().require(scene.fence, 1));
        scene.awaitWaiting(1);

        one.commit();

        assertThat(second.join()).isTrue();
    }
}
