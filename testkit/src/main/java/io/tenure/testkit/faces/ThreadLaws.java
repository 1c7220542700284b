package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent.SteppedDown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of which thread does what, and of how many there are. In real time: time moved by hand has no threads. */
public abstract class ThreadLaws extends FaceLaws {
    /** For subclasses. */
    protected ThreadLaws() {}

    /** How many leases are held at once to show that they need no threads. */
    protected int many() {
        return 10_000;
    }

    /** What the names of the threads begin with on which the store waits for answers, as many as it says; empty for none. */
    protected Optional<String> callThreads() {
        return Optional.empty();
    }

    private List<String> startedBesideCalls(Set<Thread> before) {
        return threads.startedSince(before).stream()
                .filter(name -> callThreads().filter(name::startsWith).isEmpty())
                .toList();
    }

    @Test
    void law14_the_work_runs_on_a_thread_of_the_given_factory_with_the_callers_class_loader() {
        List<Thread> made = new CopyOnWriteArrayList<>();
        Instance instance = instance(builder -> builder.workThreads(task -> {
            Thread thread = new Thread(task, "my-leader");
            thread.setDaemon(true);
            made.add(thread);
            return thread;
        }));
        Leading work = new Leading();
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {};
        Elector elector = instance.elector(name(), election());

        Deed.of(() -> {
                    Thread.currentThread().setContextClassLoader(loader);
                    return elector.campaign(work);
                })
                .result();
        soon("leads", work::isUnderWay);

        assertThat(made).containsExactly(work.thread(0));
        assertThat(work.thread(0).getContextClassLoader()).isSameAs(loader);
    }

    @Test
    void law14_the_work_has_the_class_loader_of_whoever_campaigned_whichever_thread_begins_its_term() {
        String role = name();
        Elector leader = instance().elector(role, election());
        leader.campaign();
        soon("leads", leader::isLeader);
        Leading work = new Leading();
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {};
        Elector elector = instance().elector(role, succession());
        Deed.of(() -> {
                    Thread.currentThread().setContextClassLoader(loader);
                    return elector.campaign(work);
                })
                .result();
        soon("follows", () -> elector.leader().isPresent());

        leader.resign();
        within(ttl(), "leads", work::isUnderWay);

        assertThat(work.thread(0).getContextClassLoader()).isSameAs(loader);
    }

    @Test
    void law14_the_end_of_a_term_interrupts_nobody_but_its_work() {
        Instance instance = instance();
        String role = name();
        Elector elector = instance.elector(role, election());
        Leading work = new Leading();
        Deed<Void> run = Deed.blocking(() -> {
            elector.run(work);
            return null;
        });
        soon("leads", work::isUnderWay);
        LeaseLock lock = instance.lock(role, locking());
        Deed<HeldLock> acquire = Deed.blocking(lock::acquire);

        elector.resign();

        soon("the work is interrupted", () -> work.interrupts() == 1);
        assertThat(run.isOver()).isFalse();
        within(ttl(), "the waiter is served", acquire::isOver);
        assertThat(acquire.result().isHeld()).isTrue();
        assertThat(acquire.wasInterruptedAtTheEnd()).isFalse();
        run.interrupt();
        assertThat(run.failure()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void law19_close_leaves_no_thread() {
        Set<Thread> before = threads.alive();
        Instance closing = instance();
        String role = name();
        Leading work = new Leading();
        closing.elector(role, election()).campaign(work);
        HeldLock held = closing.lock(name(), locking().renewed()).tryAcquire().orElseThrow();
        Deed<Void> waiting = Deed.blocking(() -> {
            closing.lock(role, locking()).acquire();
            return null;
        });
        soon("leads", work::isUnderWay);
        held.ended().thenRun(() -> {});
        held.release();
        assertThat(threads.startedSince(before)).contains("tenure-timer", "tenure-work-" + role);

        closing.tenure.close();

        assertThat(waiting.failure()).isInstanceOf(IllegalStateException.class);
        soon("all threads end", () -> threads.startedSince(before).isEmpty());
    }

    @Test
    void uncontended_locks_are_acquired_and_released_without_a_thread_of_ours() {
        Set<Thread> before = threads.alive();
        List<Runnable> called = new CopyOnWriteArrayList<>();
        Tenure tenure = Tenure.over(stage().connect()).callbacks(called::add).open();
        LeaseLock lock = tenure.lock(name(), locking().build());
        List<String> seen = new ArrayList<>();

        for (int i = 0; i < 100; i++) {
            HeldLock held = lock.tryAcquire().orElseThrow();
            held.release();
            seen.addAll(startedBesideCalls(before));
        }
        tenure.close();

        // the timer bounds a call that hangs; it exists, but no answer goes by it
        assertThat(seen).containsOnly("tenure-timer");
        assertThat(called).as("nobody asked to be called back").isEmpty();
    }

    @Test
    void many_held_leases_need_no_more_threads_than_one() {
        LockOptions.Builder patient = LockOptions.ofTtl(Duration.ofSeconds(20)).renewed();
        String name = name();
        Set<Thread> before = threads.alive();
        Instance crowd = instance();
        List<HeldLock> held = new ArrayList<>();
        held.add(crowd.lock(name + ".first", patient).tryAcquire().orElseThrow());
        soon("its event is told", () -> crowd.seen.all().size() == 1);
        List<String> threadsOfOne = startedBesideCalls(before);

        for (int i = 0; i < many(); i++) {
            held.add(crowd.lock(name + "." + i, patient).tryAcquire().orElseThrow());
        }
        elapse(ttl().dividedBy(2));

        assertThat(startedBesideCalls(before)).isEqualTo(threadsOfOne);
        assertThat(held).allMatch(HeldLock::isHeld);
    }

    @Test
    void close_returns_after_its_last_event_was_delivered_however_slowly() throws Exception {
        AtomicReference<Thread> closing = new AtomicReference<>();
        AtomicBoolean returned = new AtomicBoolean();
        List<Boolean> tooLate = new CopyOnWriteArrayList<>();
        Instance instance = instance(builder -> builder.observer(event -> {
            if (event instanceof SteppedDown) {
                while (requireNonNull(closing.get()).getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait(); // so slow that close() has to wait for it, or has returned
                }
                tooLate.add(returned.get());
            }
        }));
        Elector elector = instance.elector(name(), election());
        Candidacy candidacy = elector.campaign();
        soon("leads", elector::isLeader);
        Thread closer = new Thread(() -> {
            candidacy.close();
            returned.set(true);
        });
        closing.set(closer);

        closer.start();
        closer.join();

        soon("the event is delivered", () -> !tooLate.isEmpty());
        assertThat(tooLate).containsExactly(false);
    }

    @Test
    void run_returns_although_an_observer_hangs() {
        CountDownLatch go = new CountDownLatch(1);
        Instance instance = instance(builder -> builder.observer(event -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        Candidacy candidacy = instance.elector(name(), election()).campaign();

        Deed<Void> close = Deed.of(() -> {
            candidacy.close();
            return null;
        });

        assertThat(close.result()).isNull();
        go.countDown();
    }

    @Test
    void observers_run_on_one_thread_of_their_own_and_callbacks_on_another() {
        List<Thread> observing = new CopyOnWriteArrayList<>();
        AtomicReference<Thread> calling = new AtomicReference<>();
        Instance instance = instance(builder -> builder.observer(event -> observing.add(Thread.currentThread())));
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        held.ended().thenRun(() -> calling.set(Thread.currentThread()));

        held.release();

        soon("both have run", () -> observing.size() == 2 && calling.get() != null);
        assertThat(observing)
                .allMatch(thread -> thread.getName().equals("tenure-events") && thread == observing.get(0));
        assertThat(requireNonNull(calling.get()).getName()).isEqualTo("tenure-callbacks");
    }

    @Test
    void callbacks_that_the_given_executor_refuses_run_on_the_tenures_own_thread_and_not_on_the_stores_or_the_timers() {
        List<String> told = new CopyOnWriteArrayList<>();
        String contended = name();
        HeldLock first = instance().lock(contended, locking()).tryAcquire().orElseThrow();
        Instance instance = instance(builder -> builder.callbacks(task -> {
            throw new RejectedExecutionException("full");
        }));
        HeldLock expiring = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        expiring.ended().thenRun(() -> told.add(Thread.currentThread().getName()));
        instance.lock(contended, locking())
                .tryAcquireAsync(ttl().multipliedBy(2))
                .thenAccept(held -> told.add(Thread.currentThread().getName()));

        first.release();
        within(overATtl(), "both are told", () -> told.size() == 2);

        assertThat(told).containsOnly("tenure-callbacks");
    }

    @Test
    void campaign_waits_for_its_first_answer_but_not_behind_a_local_wait_without_end() {
        String name = name();
        HeldLock held = instance()
                .lock(name, LockOptions.ofTtl(Duration.ofMinutes(5)))
                .tryAcquire()
                .orElseThrow();
        Instance instance = instance();
        Deed<HeldLock> waiting = Deed.blocking(instance.lock(name, locking())::acquire);
        Elector elector = instance.elector(name, election());

        Deed<Candidacy> campaign = Deed.of(elector::campaign);

        assertThat(campaign.result()).isNotNull();
        waiting.interrupt();
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        held.release();
        within(ttl(), "stands all the same", elector::isLeader);
    }

    @Test
    void law19_the_last_callback_of_a_closed_tenure_is_run() {
        Instance closing = instance();
        HeldLock held = closing.lock(name(), locking()).tryAcquire().orElseThrow();
        AtomicReference<EndReason> told = new AtomicReference<>();
        held.ended().thenAccept(told::set);

        closing.tenure.close();

        soon("is told", () -> told.get() == EndReason.CLOSED);
        assertThatThrownBy(held::requireHeld).hasMessageContaining("CLOSED");
    }
}
