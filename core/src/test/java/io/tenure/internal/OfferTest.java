package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class OfferTest {
    private final Offer offer = new Offer();
    private final List<String> done = new ArrayList<>();

    @Test
    void what_it_is_given_is_done_when_it_serves_and_not_before() {
        offer.execute(() -> done.add("call"));
        assertThat(done).isEmpty();

        offer.serve();

        assertThat(done).containsExactly("call");
    }

    @Test
    void it_takes_one_call() {
        offer.execute(() -> done.add("first"));

        assertThatThrownBy(() -> offer.execute(() -> done.add("second")))
                .isInstanceOf(RejectedExecutionException.class);

        offer.serve();
        assertThat(done).containsExactly("first");
    }

    @Test
    void a_thread_that_has_begun_to_wait_takes_nothing() {
        offer.serve();

        assertThatThrownBy(() -> offer.execute(() -> done.add("late"))).isInstanceOf(RejectedExecutionException.class);
        offer.serve();
        assertThat(done).isEmpty();
    }
}
