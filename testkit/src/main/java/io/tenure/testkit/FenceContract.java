package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tenure.StaleTokenException;
import io.tenure.TenureEvent;
import io.tenure.Tokens;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.testkit.LeaseServer.GuardedCell;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * The laws of fences of stores that keep the lease and the state it guards (laws 25 and 26). To be extended as
 * {@link LeaseStoreContract} is.
 */
public abstract class FenceContract extends StoreLaws<LeaseServer.GuardsState> {
    /** For subclasses. */
    protected FenceContract() {}

    @Test
    void law25_a_write_under_the_current_token_is_done() {
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell cell = cell(term.name());

        cell.write(term.token(), "first");
        cell.write(term.token(), "second");

        assertThat(cell.read()).isEqualTo("second");
    }

    @Test
    void law26_a_predecessor_is_refused_before_its_successor_has_written_anything() {
        Contender alice = contender("alice");
        Claim old = alice.elects(name()).granted();
        GuardedCell cell = cell(old.name());
        cell.write(old.token(), "old");
        alice.releases(old);
        Claim successor = contender("bob").elects(old.name()).granted();

        StaleTokenException refusal = refused(() -> cell.write(old.token(), "late"));

        assertThat(refusal.name()).isEqualTo(old.name());
        assertThat(refusal.token()).isEqualTo(old.token());
        assertThat(refusal.mark()).isEqualTo(successor.token());
        assertThat(cell.read()).isEqualTo("old");
    }

    @Test
    void law26_a_lock_stamps_the_mark_as_an_election_does() {
        Contender alice = contender("alice");
        Claim old = alice.locks(name()).granted();
        alice.releases(old);
        Claim successor = contender("bob").locks(old.name()).granted();
        GuardedCell cell = cell(old.name());

        refused(() -> cell.write(old.token(), "late"));
        cell.write(successor.token(), "new");

        assertThat(cell.read()).isEqualTo("new");
    }

    @Test
    void law25_a_token_that_was_never_minted_is_refused() {
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell cell = cell(term.name());

        refused(() -> cell.write(term.token() + 1, "forged"));

        assertThat(cell.read()).isEmpty();
        cell.write(term.token(), "true");
        assertThat(cell.read()).isEqualTo("true");
    }

    @Test
    void law25_numbers_that_are_no_tokens_are_refused_in_every_form() {
        String name = name();
        GuardedCell unused = cell(name);
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell used = cell(term.name());
        for (GuardedCell cell : List.of(unused, used)) {
            for (long number : List.of(0L, -1L, Long.MIN_VALUE, Tokens.LIMIT, Tokens.LIMIT + 1, Long.MAX_VALUE)) {
                refused(() -> cell.write(number, "forged"));
                refused(() -> cell.claim(number));
            }
            assertThat(cell.read()).isEmpty();
        }
    }

    @Test
    void law25_without_counter_and_mark_every_token_is_refused() {
        GuardedCell cell = cell(name());

        assertThat(refused(() -> cell.write(1, "first")).mark()).isZero();
        refused(() -> cell.claim(1));

        assertThat(cell.read()).isEmpty();
    }

    @Test
    void law25_after_a_loss_of_all_data_every_old_token_is_refused() {
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseEverything();

        refused(() -> cell.write(term.token(), "late"));

        assertThat(cell.read()).isEmpty();
    }

    @Test
    void law25_when_the_mark_is_lost_the_counter_still_tells_the_current_token() {
        Contender alice = contender("alice");
        Claim old = alice.elects(name()).granted();
        alice.releases(old);
        Claim term = alice.elects(old.name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseMark(term.name());

        refused(() -> cell.write(old.token(), "late"));
        cell.write(term.token(), "true");

        assertThat(cell.read()).isEqualTo("true");
    }

    @Test
    void law25_when_the_counter_is_lost_the_mark_still_tells_the_current_token() {
        Contender alice = contender("alice");
        Claim old = alice.elects(name()).granted();
        alice.releases(old);
        Claim term = alice.elects(old.name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseCounter(term.name());

        refused(() -> cell.write(old.token(), "late"));
        cell.write(term.token(), "true");

        assertThat(cell.read()).isEqualTo("true");
    }

    @Test
    void law05_the_next_renewal_lets_the_holder_write_again_after_counter_and_mark_were_lost() {
        Contender alice = contender("alice");
        Claim term = alice.elects(name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseCounter(term.name());
        server().loseMark(term.name());
        refused(() -> cell.write(term.token(), "too early"));

        alice.renews(term, Contender.LONG);
        cell.write(term.token(), "restored");

        assertThat(cell.read()).isEqualTo("restored");
    }

    @Test
    void law25_a_write_that_was_done_moves_the_mark() {
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseMark(term.name());
        cell.write(term.token(), "first");
        server().loseCounter(term.name());

        cell.write(term.token(), "second");

        assertThat(cell.read()).isEqualTo("second");
    }

    @Test
    void law25_a_write_that_failed_does_not_move_the_mark() {
        Claim term = contender("alice").elects(name()).granted();
        GuardedCell cell = cell(term.name());
        server().loseMark(term.name());
        assertThatThrownBy(() -> cell.writeWhatFails(term.token())).isNotInstanceOf(StaleTokenException.class);
        server().loseCounter(term.name());

        refused(() -> cell.write(term.token(), "second"));

        assertThat(cell.read()).isEmpty();
    }

    @Test
    void law12_a_burnt_token_is_refused_at_once() {
        Contender alice = contender("alice");
        Claim term = alice.elects(name()).granted();
        GuardedCell cell = cell(term.name());
        alice.releases(term, Duration.ZERO, ReleaseMode.BURN);

        refused(() -> cell.write(term.token(), "late"));

        assertThat(cell.read()).isEmpty();
    }

    @Test
    void law12_the_token_of_a_lease_that_was_ended_by_force_is_refused_at_once() {
        Contender alice = contender("alice");
        Claim term = alice.elects(name()).granted();
        GuardedCell cell = cell(term.name());
        alice.evicts(found(term.name()).orElseThrow());

        refused(() -> cell.write(term.token(), "late"));

        assertThat(cell.read()).isEmpty();
    }

    @Test
    void law25_the_current_token_can_be_claimed_again_and_again_and_an_old_one_cannot() {
        Contender alice = contender("alice");
        Claim old = alice.elects(name()).granted();
        alice.releases(old);
        Claim term = alice.elects(old.name()).granted();
        GuardedCell cell = cell(term.name());

        cell.claim(term.token());
        cell.claim(term.token());
        refused(() -> cell.claim(old.token()));
        refused(() -> cell.claim(term.token() + 1));

        cell.write(term.token(), "claimed");
        assertThat(cell.read()).isEqualTo("claimed");
    }

    @Test
    void a_refusal_is_reported() {
        LeaseStore client = client();
        Queue<TenureEvent> events = new ConcurrentLinkedQueue<>();
        client.listen(events::add);
        Contender alice = contender("alice", client);
        Claim old = alice.elects(name()).granted();
        alice.releases(old);
        Claim term = alice.elects(old.name()).granted();

        refused(() -> server().cell(client, old.name()).write(old.token(), "late"));

        assertThat(events).containsExactly(new TenureEvent.FenceRejected(old.name(), old.token(), term.token()));
    }

    private GuardedCell cell(String name) {
        return server().cell(client(), name);
    }

    private static StaleTokenException refused(Runnable write) {
        StaleTokenException refusal = catchThrowableOfType(StaleTokenException.class, write::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }
}
