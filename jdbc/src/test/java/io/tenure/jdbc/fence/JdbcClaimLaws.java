package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a claim waits for, and what it does not: law 26 on each database. */
abstract class JdbcClaimLaws extends JdbcFenceLaws {
    @Test
    void law26_a_claim_gets_through_a_steady_stream_of_transactions_of_its_predecessor() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction first = scene.begin().require(scene.fence, 1);
        Later<Integer> stream = Later.of(() -> handOverHand(scene, first));
        scene.fence.claim(2);

        assertThat(stream.join()).as("transactions that were let in").isPositive();
        scene.assertRefused(1, 2);
    }

    /** At every moment some transaction has required the token, until one is refused. */
    private static int handOverHand(Scene scene, Transaction first) throws SQLException {
        Transaction held = first;
        for (int admitted = 1; ; admitted++) {
            Transaction next = scene.begin();
            Later<Boolean> require = Later.doing(() -> next.require(scene.fence, 1));
            try {
                Thread.sleep(5); // how long a transaction takes
                held.close();
                require.join();
            } catch (StaleTokenException e) {
                next.close();
                return admitted;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            held = next;
        }
    }

    @Test
    void law26_a_claim_that_cannot_get_through_says_within_its_time_what_to_do() throws Exception {
        Scene scene = scene();
        JdbcFence impatient = scene.fence(Duration.ofSeconds(1));
        impatient.claim(1);
        Transaction old = scene.begin().require(impatient, 1);
        long begin = System.nanoTime();

        Throwable failure = catchThrowable(Later.doing(() -> impatient.claim(2))::join);

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(8));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContainingAll(scene.name, "token 2", "1000 ms", "still open", "ends it");
        scene.assertRefused(1, 2);
        try (Transaction early = scene.begin()) {
            Scene.assertNotAdmitted(() -> early.require(impatient, 2));
        }
        old.commit();
        impatient.claim(2);
        scene.begin().require(impatient, 2);
    }

    @Test
    void law26_a_claim_that_waits_ends_soon_after_it_was_interrupted() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        scene.begin().require(scene.fence, 1);
        Later<Boolean> claim = Later.of(() -> {
            assertThatThrownBy(() -> scene.fence.claim(2))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("interrupt");
            return Thread.currentThread().isInterrupted();
        });
        scene.awaitClaimWaiting();

        claim.interrupt();

        assertThat(claim.join()).as("it stays interrupted").isTrue();
    }

    @Test
    void law26_a_transaction_that_was_refused_and_stays_open_keeps_no_claim_waiting() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction old = scene.begin().require(scene.fence, 1);
        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(2));
        scene.awaitAnnounced(2);
        Transaction late = scene.begin();
        Later<Boolean> require = Later.doing(() -> late.require(scene.fence, 1));
        old.commit();

        claim.join();

        scene.assertStale(require::join, 1, 2);
    }

    @Test
    void law26_a_lower_claim_is_refused_at_once_while_a_higher_one_waits_and_does_not_lower_it() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction old = scene.begin().require(scene.fence, 1);
        Later<Boolean> claim = Later.doing(() -> scene.fence.claim(3));
        scene.awaitAnnounced(3);

        scene.assertStale(() -> scene.fence.claim(2), 2, 3);

        old.commit();
        claim.join();
        scene.assertRefused(2, 3);
        scene.begin().require(scene.fence, 3);
    }

    @Test
    void law26_of_claims_that_wait_together_the_highest_is_the_mark_in_the_end() throws Exception {
        Scene scene = scene();
        scene.fence.claim(1);
        Transaction old = scene.begin().require(scene.fence, 1);
        List<Later<Boolean>> claims = new ArrayList<>();
        for (int token = 2; token <= 4; token++) {
            int now = token;
            claims.add(Later.of(() -> {
                try {
                    scene.fence.claim(now);
                    return true;
                } catch (StaleTokenException e) {
                    return false;
                }
            }));
            scene.awaitAnnounced(token);
        }

        old.commit();

        assertThat(claims.get(2).join()).as("the highest").isTrue();
        claims.get(0).join();
        claims.get(1).join();
        scene.assertRefused(3, 4);
        scene.begin().require(scene.fence, 4);
    }

    @Test
    void law26_the_present_mark_is_claimed_again_at_once_while_its_own_transactions_are_open() throws SQLException {
        Scene scene = scene();
        JdbcFence impatient = scene.fence(Duration.ofSeconds(1));
        impatient.claim(1);
        Transaction own = scene.begin().require(impatient, 1);

        impatient.claim(1);

        own.run(Scene.UPDATE, "mine", scene.job);
        own.commit();
        assertThat(scene.status(scene.job)).isEqualTo("mine");
    }
}
