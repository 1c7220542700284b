package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent;
import io.tenure.TenureException;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a machine wants done, in order. Effects run after the transition, outside it. */
public sealed interface Effect {

    /** Hands this effect to who carries it out. */
    void by(Effects effects);

    /** Send an attempt. */
    record SendAcquire(int call, long attempt, long floor, Takeover takeover, Duration lineFor) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.sendAcquire(this);
        }
    }

    /** Send a renewal. */
    record SendRenew(int call, long attempt, long token) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.sendRenew(this);
        }
    }

    /** Send the release. */
    record SendRelease(int call, long attempt, long token, Duration holdFor, ReleaseMode mode) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.sendRelease(this);
        }
    }

    /** Release in the background what {@code attempt} may have been granted; nobody waits for the answer. */
    record Disown(long attempt) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.disown(this);
        }
    }

    /** Give up on the call: cancel what can be cancelled, and report its end with {@link Signal.CallOver}. */
    record Abandon(int call) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.abandon(this);
        }
    }

    /** Queue up behind the local waiters. */
    record JoinLine() implements Effect {
        @Override
        public void by(Effects effects) {
            effects.joinLine();
        }
    }

    /** Leave the local waiters, with the lease or without it. */
    record LeaveLine(Leaving how) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.leaveLine(how);
        }
    }

    /** How a waiter leaves the line. */
    enum Leaving {
        SERVED,
        GIVING_UP
    }

    /** A lease began: make its handle. */
    record Begin(long attempt, long token, long deadline) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.begin(this);
        }
    }

    /** Start the thread of the leader's work. */
    record StartWork() implements Effect {
        @Override
        public void by(Effects effects) {
            effects.startWork();
        }
    }

    /** Let everybody see the lease; the work may go on. */
    record Publish() implements Effect {
        @Override
        public void by(Effects effects) {
            effects.publish();
        }
    }

    /** The lease lasts until {@code deadline}. */
    record Extend(long deadline) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.extend(deadline);
        }
    }

    /** The lease is over for its user: complete {@code ended}, then interrupt. */
    record Finish(EndReason reason) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.finish(reason);
        }
    }

    /** A refresh was carried out, or failed with {@code failure}. */
    record Refreshed(@Nullable TenureException failure) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.refreshed(failure);
        }
    }

    /** The user's release was carried out, or failed with {@code failure}. */
    record ReleaseDone(@Nullable TenureException failure) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.releaseDone(failure);
        }
    }

    /** Somebody was seen to hold the lease. */
    record Saw(LeaseRecord record) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.saw(record);
        }
    }

    /** The first attempt of a candidacy has its answer. */
    record Answered() implements Effect {
        @Override
        public void by(Effects effects) {
            effects.answered();
        }
    }

    /** Tell the observers. */
    record Tell(TenureEvent event) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.tell(event);
        }
    }

    /**
     * It is over.
     *
     * @param reason why
     * @param failure what to throw where somebody waits for a lease; null when contention or the user ended it
     * @param holder who had the lease when it was last asked for
     */
    record Retire(EndReason reason, @Nullable Throwable failure, Optional<LeaseRecord> holder) implements Effect {
        @Override
        public void by(Effects effects) {
            effects.retire(this);
        }
    }
}
