package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.spi.Claim;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RenewalsTest {
    private static final Renewal RENEWED = new Renewal.Renewed(OptionalLong.empty());
    private static final StoreException DOWN = StoreException.passing("Failed the call for 'a': no connection");

    private static RenewRequest of(String name) {
        return Asking.renewing(new Claim(name, "alice", "incarnation", 1, 7));
    }

    private static CompletionStage<Renewal> alone(RenewRequest request) {
        return CompletableFuture.failedFuture(
                StoreException.passing("Failed the call for '" + request.claim().name() + "': locked"));
    }

    @Test
    void law05_a_batch_that_fails_is_told_to_each_by_its_own_name() {
        Renewals renewals = new Renewals(batch -> CompletableFuture.failedFuture(DOWN), RenewalsTest::alone);

        List<CompletionStage<Renewal>> answers = renewals.send(List.of(of("a"), of("b")));

        assertThat(Asking.failure(answers.get(0)))
                .hasMessage("Failed renewing 'a', with others: Failed the call for 'a': no connection");
        assertThat(Asking.failure(answers.get(1)))
                .hasMessage("Failed renewing 'b', with others: Failed the call for 'a': no connection");
    }

    @Test
    void law05_what_is_asked_for_alone_fails_without_a_word_of_others() {
        Renewals renewals = new Renewals(
                batch -> CompletableFuture.completedFuture(List.of(Optional.of(RENEWED), Optional.empty())),
                RenewalsTest::alone);

        List<CompletionStage<Renewal>> answers = renewals.send(List.of(of("a"), of("b")));

        assertThat(Asking.answer(answers.get(0))).isEqualTo(RENEWED);
        assertThat(Asking.failure(answers.get(1))).hasMessage("Failed the call for 'b': locked");
        assertThat(Asking.failure(renewals.send(List.of(of("c"))).get(0)))
                .hasMessage("Failed the call for 'c': locked");
    }
}
