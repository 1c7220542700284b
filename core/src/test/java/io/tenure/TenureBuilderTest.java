package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenureBuilderTest {
    private final ManualTimeline timeline = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(timeline);

    private Tenure.Builder builder() {
        return Tenure.over(store).timeline(timeline);
    }

    @Test
    void without_a_holder_it_is_the_hosts_name_the_process_id_and_a_random_suffix() {
        Set<String> holders = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Tenure tenure = Tenure.over(store.peer()).timeline(timeline).open();
            holders.add(tenure.holder());
            tenure.close();
        }

        assertThat(holders).hasSize(20).allSatisfy(holder -> assertThat(holder).matches(".+-[0-9]+-[0-9a-f]{6}"));
        assertThat(holders)
                .allSatisfy(holder -> assertThat(holder.substring(0, holder.length() - 7))
                        .isEqualTo(host() + "-" + ProcessHandle.current().pid()));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    @Test
    void the_example_of_the_javadoc_appends_under_a_token_and_releases() {
        Map<Long, String> written = new HashMap<>();
        Ledger ledger = written::put;
        String entry = "order 1";

        // tag::javadoc
        try (Tenure tenure = Tenure.over(store).open()) {
            tenure.lock("cleanup:orders").run(held -> ledger.append(held.token(), entry));
        }
        // end::javadoc

        assertThat(written).hasSize(1).containsValue("order 1");
        assertThat(store.peer().find("cleanup:orders").toCompletableFuture().join())
                .isEmpty();
    }

    private interface Ledger {
        void append(long token, String entry);
    }

    @Test
    void every_opening_has_an_incarnation_of_its_own() {
        Set<String> incarnations = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Tenure tenure =
                    Tenure.over(store.peer()).timeline(timeline).holder("fixed").open();
            tenure.lock("n").tryAcquire().orElseThrow();
            incarnations.add(tenure.find("n").orElseThrow().incarnation());
            tenure.close();
        }

        assertThat(incarnations).hasSize(20).allSatisfy(each -> assertThat(each).matches("[0-9a-f]{18}"));
    }

    @Test
    void a_holder_that_was_given_is_used_and_a_locks_holder_begins_with_it_and_is_unique() {
        Tenure tenure = builder().holder("pod-7").open();
        assertThat(tenure.holder()).isEqualTo("pod-7");

        HeldLock first = tenure.lock("a").tryAcquire().orElseThrow();
        HeldLock second = tenure.lock("b").tryAcquire().orElseThrow();

        assertThat(List.of(first.holder(), second.holder()))
                .allMatch(holder -> holder.startsWith("pod-7~"))
                .doesNotHaveDuplicates();
        tenure.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\ud83d"})
    void odd_holders_and_names_are_refused_with_the_reason(String odd) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().holder(odd))
                .withMessageContaining("holder");
        Tenure tenure = builder().open();
        assertThatIllegalArgumentException().isThrownBy(() -> tenure.lock(odd)).withMessageContaining("name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tenure.elector(odd))
                .withMessageContaining("name");
        assertThatIllegalArgumentException().isThrownBy(() -> tenure.find(odd)).withMessageContaining("name");
        tenure.close();
    }

    @Test
    void holders_with_the_signs_of_a_stored_claim_are_nobody_elses() {
        Tenure tenure = builder().holder("a#b-1-2#").open();

        Candidacy candidacy = tenure.elector("n").campaign();

        assertThat(tenure.find("n").orElseThrow().holder()).isEqualTo("a#b-1-2#");
        candidacy.close();
        tenure.close();
    }

    @Test
    void a_second_elector_of_a_name_is_refused() {
        Tenure tenure = builder().open();
        tenure.elector("n");

        assertThatIllegalStateException().isThrownBy(() -> tenure.elector("n")).withMessageContaining("'n'");
        assertThat(tenure.elector("other").name()).isEqualTo("other");
        assertThat(tenure.lock("n").name()).as("a lock of it is none").isEqualTo("n");
        tenure.close();
    }

    @Test
    void a_second_candidacy_at_a_time_is_refused() {
        Tenure tenure = builder().open();
        Elector elector = tenure.elector("n");
        Candidacy first = elector.campaign();

        assertThatIllegalStateException().isThrownBy(elector::campaign).withMessageContaining("'n'");
        assertThatIllegalStateException()
                .isThrownBy(() -> elector.run(term -> {}))
                .withMessageContaining("'n'");
        first.close();
        Candidacy second = elector.campaign();

        assertThat(elector.isLeader()).isTrue();
        second.close();
        tenure.close();
    }

    @Test
    void after_its_end_everything_is_refused() {
        Tenure tenure = builder().open();
        Elector elector = tenure.elector("n");
        LeaseLock lock = tenure.lock("m");
        tenure.close();
        tenure.close();

        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> uses = List.of(
                () -> tenure.elector("x"),
                () -> tenure.lock("x"),
                () -> tenure.find("x"),
                () -> tenure.list("", 1),
                elector::campaign,
                () -> elector.run(term -> {}),
                lock::tryAcquire,
                lock::acquire,
                () -> lock.tryAcquire(Duration.ofSeconds(1)),
                () -> lock.tryAcquireAsync(Duration.ofSeconds(1)),
                () -> lock.run(held -> {}),
                () -> lock.runIfFree(held -> {}));
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed"));
        assertThat(tenure.closeAsync().toCompletableFuture()).isCompleted();
    }

    /** Databases that cannot hold such a text as a value speak of encodings, others find nothing. */
    @Test
    void law30_a_prefix_that_no_name_can_begin_with_is_refused_by_what_is_wrong_with_it() {
        Tenure tenure = builder().open();

        for (String prefix : List.of("\0", "report\n", "\uD83D")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tenure.list(prefix, 1))
                    .withMessageContaining("The prefix '");
        }
        assertThat(tenure.list("", 1)).isEmpty();
        tenure.close();
    }

    @Test
    void limits_below_one_and_negative_waits_are_refused() {
        Tenure tenure = builder().open();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tenure.list("", 0))
                .withMessageContaining("limit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tenure.lock("n").tryAcquire(Duration.ofMillis(-1)))
                .withMessageContaining("'n'")
                .withMessageContaining("maxWait");
        tenure.close();
    }

    @Test
    void it_owns_its_store() {
        Tenure tenure = builder().open();
        MemoryLeaseStore peer = store.peer();

        tenure.close();

        assertThat(store.find("n").toCompletableFuture()).isCompletedExceptionally();
        assertThat(peer.find("n").toCompletableFuture()).isCompleted();
    }

    @Test
    void it_names_itself_by_its_holder_and_its_store_only() {
        Tenure tenure = builder().holder("pod-7").open();

        assertThat(tenure.toString()).isEqualTo("Tenure of 'pod-7' over " + store);
        HeldLock held = tenure.lock("n").tryAcquire().orElseThrow();
        assertThat(held.toString()).contains("'n'", String.valueOf(held.token()), "held");
        tenure.close();
        assertThat(held.toString()).contains("over");
    }

    @Test
    void observers_threads_and_callbacks_that_were_given_are_used() {
        List<TenureEvent> first = new ArrayList<>();
        List<TenureEvent> second = new ArrayList<>();
        List<Runnable> callbacks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Tenure tenure = builder()
                .observer(first::add)
                .observer(second::add)
                .callbacks(callbacks::add)
                .workThreads(work -> {
                    Thread thread = new Thread(work, "mine");
                    threads.add(thread);
                    return thread;
                })
                .open();
        HeldLock held = tenure.lock("n").tryAcquire().orElseThrow();
        CompletableFuture<EndReason> ended = held.ended().toCompletableFuture();

        held.release();

        assertThat(first).isEqualTo(second).hasSize(2);
        assertThat(ended).isNotDone();
        List.copyOf(callbacks).forEach(Runnable::run);
        assertThat(ended).isCompletedWithValue(EndReason.RELEASED);
        Candidacy candidacy = tenure.elector("role").campaign(term -> new CountDownLatch(1).await(1, TimeUnit.MINUTES));
        assertThat(threads).hasSize(1);
        candidacy.close();
        tenure.close();
    }

    @Test
    void a_timeline_that_was_given_is_not_closed() {
        List<String> ran = new ArrayList<>();
        timeline.schedule(Duration.ofSeconds(1).toNanos(), 0, () -> ran.add("later"));

        builder().open().close();
        timeline.advance(Duration.ofSeconds(1));

        assertThat(ran).containsExactly("later");
    }

    @Test
    void in_memory_needs_nothing() {
        try (Tenure tenure = Tenure.inMemory()) {
            assertThat(tenure.lock("n").<String, RuntimeException>call(held -> "done"))
                    .isEqualTo("done");
            assertThat(tenure.find("n")).isEmpty();
        }
    }
}
