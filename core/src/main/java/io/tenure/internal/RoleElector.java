package io.tenure.internal;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.LeaderWork;
import io.tenure.LeaseRecord;
import io.tenure.TenureException;
import io.tenure.Term;
import io.tenure.Timeline;
import io.tenure.internal.machine.Effect;
import io.tenure.internal.machine.LeaseMachine;
import io.tenure.internal.machine.Profile;
import io.tenure.internal.machine.Standing;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Stands for one role. Keeps what outlives a candidacy: the number of the last attempt, and the highest token seen. */
public final class RoleElector implements Elector {
    private static final long FIRST_ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Kernel kernel;
    private final String name;
    private final ElectorOptions options;
    private final AtomicReference<@Nullable Candidate> candidate = new AtomicReference<>();
    private final ReentrantLock succession = new ReentrantLock();
    private volatile Standing standing = Standing.NEW;
    /** The last candidacy whose work may still be running although nobody waits for it. */
    private volatile @Nullable Candidate last;

    private volatile @Nullable TermHandle begun;
    private volatile @Nullable LiveLease begunLease;
    private volatile @Nullable TermHandle published;
    private volatile @Nullable Sighting sighting;

    /** For {@code name} in its canonical form. */
    public RoleElector(Kernel kernel, String name, ElectorOptions options) {
        this.kernel = kernel;
        this.name = name;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    /** How it behaves. */
    public ElectorOptions options() {
        return options;
    }

    @Override
    @SuppressWarnings("InterruptedInCatchBlock") // the exception tells of the interrupt, so the flag must not
    public void run(LeaderWork work) throws InterruptedException {
        Candidate mine = start(Objects.requireNonNull(work, "work"));
        try {
            EndReason reason = mine.awaitEnd();
            if (reason == EndReason.DENIED) {
                throwRefusal(mine);
            }
        } catch (InterruptedException e) {
            mine.end(EndReason.INTERRUPTED);
            Waits.uninterruptibly(mine.over());
            kernel.events().flush();
            Thread.interrupted();
            throw e;
        }
    }

    @Override
    public Candidacy campaign(LeaderWork work) {
        return campaignWith(Objects.requireNonNull(work, "work"));
    }

    @Override
    public Candidacy campaign() {
        return campaignWith(null);
    }

    private Candidacy campaignWith(@Nullable LeaderWork work) {
        Candidate mine = start(work);
        // Behind others of this process there may be no answer for as long as they wait.
        long patience = Math.max(options.retryEvery().toNanos(), FIRST_ANSWER_NANOS);
        Timeline.Timer enough = kernel.timeline().schedule(kernel.timeline().nanos() + patience, 0, mine::answered);
        try {
            kernel.timeline().await(mine.firstAnswer());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the candidacy is under way; the caller sees its flag at its next wait
        } finally {
            enough.cancel();
        }
        throwRefusal(mine);
        return mine;
    }

    private static void throwRefusal(Candidate mine) {
        Effect.Retire end = mine.over().getNow(null);
        if (end != null && end.reason() == EndReason.DENIED && end.failure() instanceof TenureException refusal) {
            throw refusal;
        }
    }

    private Candidate start(@Nullable LeaderWork work) {
        kernel.requireOpen();
        Candidate mine = succeed(work);
        try {
            mine.start();
        } catch (RuntimeException e) {
            candidate.set(null);
            throw e;
        }
        return mine;
    }

    /** The one place where a candidacy follows another: what the one before left is read as it ends, not as it was. */
    private Candidate succeed(@Nullable LeaderWork work) {
        succession.lock();
        try {
            if (candidate.get() != null) {
                throw new IllegalStateException(
                        "A candidacy for '" + name + "' is under way already: an elector stands once at a"
                                + " time. Close that one first, or open another Tenure");
            }
            Candidate before = last;
            if (before != null && !before.workOver().isDone()) {
                throw new IllegalStateException(
                        "The work of the last candidacy for '" + name + "' has not ended yet although it"
                                + " was told to: wait for it, this instance does not stand again before");
            }
            Candidate mine = new Candidate(kernel, this, profile(work != null), standing, work);
            candidate.set(mine);
            return mine;
        } finally {
            succession.unlock();
        }
    }

    private Profile profile(boolean work) {
        boolean claims = !options.claims().isEmpty();
        long seed = (kernel.holder() + '\n' + name).hashCode() * 0x9E3779B97F4A7C15L;
        return new Profile(
                name,
                kernel.holder(),
                kernel.incarnation(),
                LeaseKind.ELECTION,
                options.ttl().toNanos(),
                options.renewEvery().toNanos(),
                options.retryEvery().toNanos(),
                options.drainTimeout().toNanos(),
                0,
                LeaseMachine.NEVER,
                work || claims,
                claims,
                seed);
    }

    @Override
    public Optional<Term> term() {
        TermHandle term = published;
        return term != null && term.isHeld() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public OptionalLong token() {
        TermHandle term = published;
        return term != null && term.isHeld() ? OptionalLong.of(term.token()) : OptionalLong.empty();
    }

    @Override
    public boolean isLeader() {
        return term().isPresent();
    }

    @Override
    public Optional<LeaseRecord> leader() {
        Sighting last = sighting;
        TermHandle own = published;
        LiveLease lease = begunLease;
        if (own != null && own.isHeld() && lease != null) {
            return Optional.of(recordOf(lease));
        }
        return last == null
                ? Optional.empty()
                : Optional.of(last.record.seenBefore(
                        Duration.ofNanos(kernel.timeline().nanos() - last.at)));
    }

    @Override
    public void resign() {
        TermHandle term = published;
        if (term != null) {
            term.resign();
        }
    }

    @Override
    public String toString() {
        return "elector for '" + name + "'" + (isLeader() ? ", leading" : "");
    }

    void begun(TermHandle term, LiveLease lease) {
        begun = term;
        begunLease = lease;
    }

    Term begunTerm() {
        return Objects.requireNonNull(begun, "begun");
    }

    /** Whoever led before is history from here on: until somebody else is seen, the last known leader is this one. */
    void published(LiveLease lease) {
        saw(recordOf(lease));
        published = begun;
    }

    void finished(LiveLease lease) {
        saw(recordOf(lease));
        published = null;
    }

    private LeaseRecord recordOf(LiveLease lease) {
        return LeaseRecord.of(
                name, lease.holder(), kernel.incarnation(), lease.attempt(), lease.token(), lease.untilDeadline());
    }

    void relinquish(EndReason reason) {
        LiveLease lease = begunLease;
        if (lease != null) {
            lease.relinquish(reason);
        }
    }

    void saw(LeaseRecord record) {
        sighting = new Sighting(record, kernel.timeline().nanos());
    }

    void retired(Candidate over, Standing after) {
        succession.lock();
        try {
            standing = after;
            last = over;
            candidate.compareAndSet(over, null);
        } finally {
            succession.unlock();
        }
    }

    private record Sighting(LeaseRecord record, long at) {}
}
