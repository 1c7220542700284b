package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLostException;
import io.tenure.Term;
import io.tenure.Timeline;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Law 9, when a process is stopped beyond its deadline and looks before any timer has run. */
class StoppedProcessLawsTest extends FaceLaws {
    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    @Test
    void law09_a_lock_is_not_held_at_the_first_look_after_its_deadline_before_any_timer_ran() {
        ManualTimeline time = new ManualTimeline();
        Lagging lagging = new Lagging(time);
        Instance instance = instance(MemoryLeaseStore.on(lagging), builder -> builder.timeline(lagging));
        HeldLock held = instance.lock(name(), locking().renewed()).tryAcquire().orElseThrow();

        lagging.stopFor(ttl().minusNanos(1));
        assertThat(held.isHeld()).isTrue();
        lagging.stopFor(Duration.ofNanos(1));

        assertThat(held.isHeld()).isFalse();
        assertThat(held.remaining()).isZero();
        assertThatThrownBy(held::requireHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
        assertThatThrownBy(held::refresh).isInstanceOf(LeaseLostException.class);
        assertThat(held.ended().toCompletableFuture())
                .as("nobody has noticed yet")
                .isNotDone();
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void law09_a_role_is_not_led_at_the_first_look_after_its_deadline_before_any_timer_ran() {
        ManualTimeline time = new ManualTimeline();
        Lagging lagging = new Lagging(time);
        Instance instance = instance(MemoryLeaseStore.on(lagging), builder -> builder.timeline(lagging));
        Elector elector = instance.elector(name(), election());
        Candidacy candidacy = elector.campaign();
        assertThat(elector.isLeader()).isTrue();
        Term term = elector.term().orElseThrow();

        lagging.stopFor(ttl());

        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.token()).isEmpty();
        assertThat(elector.term()).isEmpty();
        assertThat(term.isHeld()).isFalse();
        assertThat(term.ended().toCompletableFuture()).isNotDone();
        candidacy.close();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
    }

    /** Time as a process sees it that is stopped and resumed: the clock has moved, and no timer has run. */
    private static final class Lagging implements Timeline {
        private final ManualTimeline time;
        private volatile long stopped;

        Lagging(ManualTimeline time) {
            this.time = time;
        }

        void stopFor(Duration span) {
            stopped += span.toNanos();
        }

        @Override
        public long nanos() {
            return time.nanos() + stopped;
        }

        @Override
        public Timer schedule(long at, long slack, Runnable task) {
            return time.schedule(at - stopped, slack, task);
        }

        @Override
        public Background background(String name) {
            return time.background(name);
        }

        @Override
        public void await(java.util.concurrent.CompletionStage<?> answer) {
            time.settle();
        }

        @Override
        public void close() {
            time.close();
        }
    }
}
