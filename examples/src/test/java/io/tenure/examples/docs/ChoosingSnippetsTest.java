package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.InProcessFence;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/choosing.md. */
class ChoosingSnippetsTest {
    private final Tenure tenure = Tenure.inMemory();

    @AfterEach
    void close() {
        tenure.close();
    }

    @Test
    void a_role_is_led_until_it_ends() throws InterruptedException {
        CountDownLatch led = new CountDownLatch(2);
        Runnable schedule = led::countDown;
        // tag::role
        Elector elector = tenure.elector("scheduler");
        Candidacy candidacy = elector.campaign(term -> {
            while (term.isHeld()) {
                schedule.run();
                Thread.sleep(100); // interrupted the moment the term ends
            }
        });
        // end::role

        assertThat(led.await(20, TimeUnit.SECONDS)).isTrue();
        candidacy.close();
        assertThat(elector.isLeader()).isFalse();
    }

    @Test
    void an_operation_runs_once_although_the_clocks_of_its_hosts_differ() {
        List<Long> runs = new ArrayList<>();
        // tag::operation
        LockOptions daily = LockOptions.ofTtl(Duration.ofSeconds(30))
                .holdAtLeast(Duration.ofMinutes(5)) // the name stays taken: a host whose clock is late finds it so
                .build();
        boolean ran = tenure.lock("daily-report", daily).runIfFree(held -> runs.add(held.token()));
        // end::operation
        boolean again = tenure.lock("daily-report", daily).runIfFree(held -> runs.add(held.token()));

        assertThat(ran).isTrue();
        assertThat(again).isFalse();
        assertThat(runs).hasSize(1);
    }

    @Test
    void a_service_refuses_the_tokens_of_earlier_holders() {
        StringBuilder state = new StringBuilder();
        // tag::in-process
        InProcessFence fence = new InProcessFence("shipping");
        fence.run(41, () -> state.append("from 41")); // one step: nobody comes in between
        fence.claim(42); // the successor was elected
        // end::in-process

        assertThatThrownBy(() -> fence.run(41, () -> state.append("late"))).isInstanceOf(StaleTokenException.class);
        assertThat(state).hasToString("from 41");
    }
}
