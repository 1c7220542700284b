package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.RenewRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The duties of a client that are no law of leases: what its end means. */
abstract class ClientLaws extends StoreLaws<LeaseServer> {

    @Test
    void closing_a_client_leaves_its_leases_to_their_ttl() {
        LeaseStore client = client();
        Claim claim = contender("alice", client).elects(name()).granted();

        client.close();

        assertHeld(claim);
    }

    @Test
    void closing_a_client_leaves_the_others_open() {
        LeaseStore one = client();
        Contender bob = contender("bob");

        one.close();

        assertHeld(bob.elects(name()).granted());
    }

    @Test
    void closing_a_client_twice_is_closing_it_once() {
        LeaseStore client = client();
        client.close();

        assertThatCode(client::close).doesNotThrowAnyException();
    }

    @Test
    void a_closed_client_fails_every_request_by_its_stage() {
        LeaseStore client = client();
        Contender alice = contender("alice", client);
        String name = name();
        Contender.Attempt attempt = alice.elects(name);
        Claim claim = attempt.granted();
        client.close();

        assertThat(attempt.refused()).isNotNull();
        assertThat(Answers.failureOf(client.find(name))).isNotNull();
        assertThat(Answers.failureOf(client.list(name, 1))).isNotNull();
        assertThat(Answers.failureOf(client.renew(List.of(new RenewRequest(claim, LeaseKind.ELECTION, Contender.LONG)))
                        .get(0)))
                .isNotNull();
    }
}
