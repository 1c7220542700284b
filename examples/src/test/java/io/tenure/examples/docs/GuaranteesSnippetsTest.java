package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of docs/guarantees.md. */
class GuaranteesSnippetsTest {
    private final List<String> mails = new ArrayList<>();

    @Test
    void what_cannot_be_undone_is_not_begun_shortly_before_the_end() throws Exception {
        ManualTimeline time = new ManualTimeline();
        LockOptions options = LockOptions.ofTtl(Duration.ofSeconds(30)).build();
        try (Tenure tenure =
                Tenure.over(MemoryLeaseStore.on(time)).timeline(time).open()) {
            var held = tenure.lock("invoices", options).tryAcquire().orElseThrow();
            // tag::irreversible
            held.requireRemaining(Duration.ofSeconds(10)); // or LeaseLostException
            sendInvoice(); // takes a second or two
            // end::irreversible
            time.advance(Duration.ofSeconds(25));

            assertThatThrownBy(() -> held.requireRemaining(Duration.ofSeconds(10)))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(held.isHeld()).isTrue();
            assertThat(mails).hasSize(1);
            held.close();
        }
    }

    private void sendInvoice() {
        mails.add("invoice");
    }
}
