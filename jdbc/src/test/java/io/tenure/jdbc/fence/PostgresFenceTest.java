package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.StaleTokenException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresFenceTest extends SharedLockLaws {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return POSTGRES;
    }

    @Test
    void law27_too_many_arguments_are_told_by_the_statement_that_was_given() throws SQLException {
        assertTooManyArgumentsAreTold();
    }

    @Test
    void law26_a_claim_that_cannot_get_through_names_who_is_in_the_way() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction one = scene.begin().require(scene.fence, 1);

        assertThat(claimInVain(scene)).hasMessageContaining(inTheWay(one));

        one.commit();
        scene.fence.claim(2);
    }

    @Test
    void law26_a_claim_that_cannot_get_through_names_all_who_are_in_the_way_together() throws SQLException {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction one = scene.begin().require(scene.fence, 1);
        Transaction other = scene.begin().require(scene.fence, 1);

        assertThat(claimInVain(scene)).hasMessageContainingAll(inTheWay(one), inTheWay(other));
    }

    private static Throwable claimInVain(Scene scene) {
        JdbcFence impatient = scene.fence(Duration.ofMillis(300));
        return catchThrowable(() -> impatient.claim(2));
    }

    /** As an operator needs it to end that transaction. */
    private static String inTheWay(Transaction transaction) throws SQLException {
        String pid = transaction.read("SELECT pg_backend_pid()");
        return "pid " + pid + " (PostgreSQL JDBC Driver, idle in transaction, since ";
    }

    @Test
    void law26_a_claim_gets_through_although_every_new_shared_lock_overtakes_it() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction held = scene.begin().require(scene.fence, 1);
        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(2));

        assertThatThrownBy(() -> overlapping(scene, held, claim)).isInstanceOf(StaleTokenException.class);

        claim.join();
    }

    /** At every moment one transaction has the lock; the last one goes when none is let in any more. */
    private static void overlapping(Scene scene, Transaction first, Later<Boolean> claim) throws SQLException {
        Transaction held = first;
        try {
            while (!claim.isOver()) {
                Transaction next = scene.begin().require(scene.fence, 1);
                held.close();
                held = next;
            }
        } finally {
            held.close();
        }
    }
}
