package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The laws of stores that forget the tokens of operations, so that there are no immortal keys (law 7). To be extended
 * as {@link LeaseStoreContract} is. Whether tokens are still remembered shows in the next one: it is minted above a
 * token that no clock has reached yet, or it is not.
 */
public abstract class RetentionContract extends StoreLaws<LeaseServer.ForgetsLocks> {
    /** For subclasses. */
    protected RetentionContract() {}

    @Test
    void law07_the_tokens_of_a_lock_are_forgotten_when_they_have_not_been_used_for_the_retention() {
        Contender alice = contender("alice", keeping(shortTtl()));
        Claim used = alice.locks(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(used);
        server().elapse(withGrace(shortTtl()));

        assertThat(alice.locks(used.name()).grant().token()).isLessThan(FAR_ABOVE_THE_CLOCK);
    }

    @Test
    void law07_the_tokens_of_a_lock_are_remembered_until_then() {
        Contender alice = contender("alice", keeping(shortTtl().multipliedBy(6)));
        Claim used = alice.locks(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().elapse(shortTtl());

        assertThat(alice.locks(used.name()).grant().token()).isEqualTo(used.token() + 1);
    }

    @Test
    void law07_acquiring_is_use() {
        Contender alice = contender("alice", keeping(shortTtl().multipliedBy(4)));
        Claim used = alice.locks(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        for (int i = 1; i <= 3; i++) {
            server().elapse(shortTtl().multipliedBy(2));
            assertThat(alice.locks(used.name()).ttl(tiny()).grant().token()).isEqualTo(used.token() + i);
        }
    }

    @Test
    void law07_renewing_is_use() {
        Duration ttl = shortTtl().multipliedBy(4);
        Contender alice = contender("alice", keeping(ttl.multipliedBy(2)));
        Claim used = alice.locks(name()).ttl(ttl).floor(FAR_ABOVE_THE_CLOCK).granted();
        for (int i = 0; i < 2; i++) {
            server().elapse(shortTtl().multipliedBy(3));
            assertThat(alice.renews(used, LeaseKind.LOCK, ttl)).isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
        }
        server().elapse(shortTtl().multipliedBy(3));

        alice.releases(used);
        assertThat(alice.locks(used.name()).grant().token()).isEqualTo(used.token() + 1);
    }

    @Test
    void law07_the_tokens_of_a_lock_are_remembered_for_at_least_twice_its_ttl() {
        Contender alice = contender("alice", keeping(Duration.ofMillis(1)));
        Claim used = alice.locks(name())
                .ttl(shortTtl().multipliedBy(4))
                .floor(FAR_ABOVE_THE_CLOCK)
                .granted();
        alice.releases(used);
        server().elapse(shortTtl().multipliedBy(5));

        assertThat(alice.locks(used.name()).grant().token()).isEqualTo(used.token() + 1);
    }

    @Test
    void law07_the_tokens_of_an_election_are_never_forgotten() {
        Contender alice = contender("alice", keeping(tiny()));
        Claim used = alice.elects(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().elapse(shortTtl().multipliedBy(3));

        assertThat(alice.elects(used.name()).grant().token()).isEqualTo(used.token() + 1);
    }

    @Test
    void law07_an_election_makes_the_tokens_of_a_lock_permanent() {
        Contender alice = contender("alice", keeping(shortTtl()));
        Claim locked =
                alice.locks(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(locked);
        Claim elected = alice.elects(locked.name()).ttl(tiny()).granted();
        outlast(shortTtl().multipliedBy(2));

        assertThat(alice.locks(elected.name()).grant().token()).isEqualTo(elected.token() + 1);
    }

    @Test
    void law07_a_lock_never_shortens_the_memory_of_an_election() {
        Contender alice = contender("alice", keeping(tiny()));
        Claim elected =
                alice.elects(name()).ttl(tiny()).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(elected);
        Claim locked = alice.locks(elected.name()).ttl(tiny()).granted();
        alice.releases(locked);
        server().elapse(shortTtl().multipliedBy(3));

        assertThat(alice.locks(elected.name()).grant().token()).isEqualTo(elected.token() + 2);
    }

    @Test
    void law07_a_short_lock_never_shortens_the_memory_of_a_long_one() {
        Contender alice = contender("alice", keeping(tiny()));
        Claim used = alice.locks(name())
                .ttl(shortTtl().multipliedBy(4))
                .floor(FAR_ABOVE_THE_CLOCK)
                .granted();
        alice.releases(used);
        Claim last = alice.locks(used.name()).ttl(tiny()).granted();
        alice.releases(last);
        server().elapse(shortTtl());

        assertThat(alice.locks(used.name()).grant().token()).isEqualTo(last.token() + 1);
    }

    /** Stores may remember a little longer, so that not every use has to be written down. */
    private static Duration withGrace(Duration retention) {
        return retention.multipliedBy(3).dividedBy(2);
    }

    private Duration tiny() {
        return shortTtl().dividedBy(4);
    }

    private LeaseStore keeping(Duration retention) {
        return closing(server().connect(retention));
    }
}
