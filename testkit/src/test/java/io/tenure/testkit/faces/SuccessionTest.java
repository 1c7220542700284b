package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.LeaderWork;
import io.tenure.Tenure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;

/** One candidacy after another, on real threads. */
class SuccessionTest {
    private static final ElectorOptions IMPATIENT = ElectorOptions.ofTtl(Duration.ofMillis(500))
            .drainTimeout(Duration.ofMillis(5))
            .build();

    @RepeatedTest(60)
    void law12_no_candidacy_begins_while_abandoned_work_is_running_however_closing_and_campaigning_race()
            throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger works = new AtomicInteger();
        LeaderWork stubborn = term -> {
            works.incrementAndGet();
            begun.countDown();
            while (end.getCount() > 0) {
                Thread.onSpinWait();
            }
        };
        try (Tenure tenure = Tenure.inMemory()) {
            Elector elector = tenure.elector("role", IMPATIENT);
            Candidacy first = elector.campaign(stubborn);
            begun.await();
            Thread closer = new Thread(first::close);
            closer.start();
            int refused = 0;
            int allowed = 0;
            while (closer.isAlive() || refused < 1_000) {
                try {
                    elector.campaign(stubborn);
                    allowed++;
                } catch (IllegalStateException e) {
                    refused++;
                }
            }

            assertThat(allowed).isZero();
            assertThat(works).hasValue(1);
            end.countDown();
        } finally {
            end.countDown();
        }
    }
}
