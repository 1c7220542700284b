package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.Tenure;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of the threads of leaders' work: who makes them, what they are called, and how they are left. */
class WorkThreadLawsTest extends FaceLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    @Test
    void law14_what_is_sent_when_interrupted_work_ends_is_not_sent_from_an_interrupted_thread() {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        LeaseStore target = stage().connect();
        LeaseStore spied = (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("release")) {
                        interrupted.add(Thread.currentThread().isInterrupted());
                    }
                    return method.invoke(target, arguments);
                });
        Elector elector = instance(spied, builder -> builder).elector(name(), election());
        CountDownLatch leading = new CountDownLatch(1);
        elector.campaign(term -> {
            leading.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        });
        soon("leads", () -> leading.getCount() == 0);

        elector.resign();

        soon("releases", () -> !interrupted.isEmpty());
        assertThat(interrupted).containsExactly(false);
    }

    @Test
    void law17_a_release_in_the_background_that_is_never_answered_keeps_close_waiting_for_two_seconds_and_no_longer() {
        Instance instance = instance();
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer()).always(Verb.RELEASE, Fault.dropRequest());
        Candidacy candidacy = instance.elector(name(), election()).campaign();
        candidacy.close();
        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(1);

        CompletableFuture<Void> closed = instance.tenure.closeAsync().toCompletableFuture();
        elapse(Duration.ofMillis(1_999));
        assertThat(closed.isDone()).isFalse();
        elapse(Duration.ofMillis(1));

        assertThat(closed.isDone()).isTrue();
        assertThat(instance.seen.of(ReleaseFailed.class))
                .singleElement()
                .satisfies(told -> assertThat(told.cause())
                        .hasMessageContaining("2000 ms")
                        .hasMessageContaining("ends with its ttl"));
    }

    @Test
    void law19_a_thread_factory_may_close_the_tenure_it_makes_a_thread_for() {
        String role = name();
        AtomicReference<Tenure> tenure = new AtomicReference<>();
        Instance closing = instance(builder -> builder.workThreads(task -> {
            tenure.get().close();
            Thread made = new Thread(task, "made");
            made.setDaemon(true);
            return made;
        }));
        tenure.set(closing.tenure);
        Elector elector = closing.elector(role, election());
        Leading work = new Leading();

        Deed<Candidacy> campaign = Deed.of(() -> elector.campaign(work));

        assertThat(campaign.result()).isNotNull();
        soon("is over", () -> found(role).isEmpty());
        soon("is told", () -> closing.seen.has(SteppedDown.class));
        assertThat(closing.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.CLOSED);
    }

    @Test
    void threads_of_work_are_named_after_their_role_in_no_more_than_eighty_characters() {
        String smiling = name() + "\uD83D\uDE00".repeat(90);
        Leading first = new Leading();
        Leading second = new Leading();
        Instance instance = instance();
        String role = name();
        instance.elector(role, election()).campaign(first);
        instance.elector(smiling, election()).campaign(second);

        soon("both lead", () -> first.isUnderWay() && second.isUnderWay());

        assertThat(first.thread(0).getName()).isEqualTo("tenure-work-" + role);
        String cut = second.thread(0).getName();
        assertThat(cut).startsWith("tenure-work-" + smiling.substring(0, 20)).endsWith("\uD83D\uDE00\u2026");
        assertThat(cut.codePointCount(0, cut.length())).isLessThanOrEqualTo(80);
    }
}
