package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.LeaseRecord;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the laws of the faces share: a stage, instances on it that are closed after each test, and names that no other
 * test uses. A failure on any thread of the test that nobody catches fails it, unless it was asked for. Tests on stages in
 * real time may run side by side: they mostly wait.
 */
public abstract class FaceLaws {
    /** By so much a server's clock may be ahead after a few seconds that it is being set right in. */
    static final Duration CLOCKS = Duration.ofMillis(5);

    @RegisterExtension
    final OwnThreads threads = new OwnThreads();

    private final String prefix = "face-" + UUID.randomUUID().toString().substring(0, 8);
    private final AtomicInteger serial = new AtomicInteger();
    private final List<Instance> instances = new ArrayList<>();
    private boolean failuresWanted;
    private @Nullable Stage stage;
    private @Nullable LeaseStore spectator;

    FaceLaws() {}

    /** The stage of one test; called once for each, and closed after it. */
    protected abstract Stage openStage();

    @BeforeEach
    void raiseTheCurtain() {
        stage = openStage();
    }

    @AfterEach
    void lowerTheCurtain() {
        try {
            instances.forEach(instance -> instance.wire.heal());
            List<CompletableFuture<Void>> ends = instances.stream()
                    .map(instance -> instance.tenure.closeAsync().toCompletableFuture())
                    .toList();
            assertThat(stage().comesTrue(
                                    ttl().multipliedBy(4), () -> ends.stream().allMatch(CompletableFuture::isDone)))
                    .as("every Tenure closes")
                    .isTrue();
            if (spectator != null) {
                spectator.close();
            }
        } finally {
            stage().close();
        }
        if (!failuresWanted) {
            assertThat(threads.uncaught()).as("failures that nobody caught").isEmpty();
        }
    }

    /** Failures that nobody catches belong to this test; returns those so far and to come. */
    final List<Throwable> expectUncaughtFailures() {
        failuresWanted = true;
        return threads.uncaught();
    }

    final Stage stage() {
        return Objects.requireNonNull(stage, "stage");
    }

    final Duration ttl() {
        return stage().ttl();
    }

    /** A little longer than a ttl. */
    final Duration overATtl() {
        return ttl().plusMillis(20);
    }

    final String name() {
        return prefix + "." + serial.incrementAndGet();
    }

    final Instance instance() {
        return instance(builder -> builder);
    }

    final Instance instance(UnaryOperator<Tenure.Builder> how) {
        return instance(stage().connect(), how);
    }

    final Instance instance(LeaseStore client, UnaryOperator<Tenure.Builder> how) {
        FaultyStore wire = FaultyStore.over(client);
        Seen seen = new Seen();
        Tenure.Builder builder = Tenure.over(wire).observer(seen);
        stage().timeline().ifPresent(builder::timeline);
        Instance made = new Instance(wire, seen, how.apply(builder).open());
        instances.add(made);
        return made;
    }

    final ElectorOptions.Builder election() {
        return ElectorOptions.ofTtl(ttl());
    }

    /** One who looks often, also where nobody tells it: surely while whoever led before holds off. */
    final ElectorOptions.Builder succession() {
        return election().retryEvery(ttl().dividedBy(8));
    }

    final LockOptions.Builder locking() {
        return LockOptions.ofTtl(ttl());
    }

    final void elapse(Duration span) {
        stage().elapse(span);
    }

    /** Needs no time, but perhaps other threads. */
    final void soon(String what, BooleanSupplier condition) {
        within(Duration.ZERO, what, condition);
    }

    final void within(Duration span, String what, BooleanSupplier condition) {
        assertThat(stage().comesTrue(span, condition)).as(what).isTrue();
    }

    /** Who has {@code name}, as the store says. */
    final Optional<LeaseRecord> found(String name) {
        return answer(spectator().find(spectator().canonicalName(name)).toCompletableFuture());
    }

    /** Ends by force what is there of {@code name}. */
    final void evict(String name) {
        LeaseRecord seen = found(name).orElseThrow();
        assertThat(answer(spectator().evict(seen).toCompletableFuture()))
                .as("evicted")
                .isTrue();
    }

    private LeaseStore spectator() {
        if (spectator == null) {
            spectator = stage().connect();
        }
        return spectator;
    }

    static <T> T answer(CompletableFuture<T> future) {
        try {
            return future.get(Patience.FOR_THREADS.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** Whether all know the same leader: those that do not lead have asked, and wait. */
    static boolean allSee(List<Elector> electors) {
        return electors.stream()
                        .map(elector -> elector.leader().map(LeaseRecord::token).orElse(0L))
                        .distinct()
                        .count()
                == 1;
    }

    /** Which of them leads; -1 when none does. */
    static int leaderOf(List<Elector> electors) {
        for (int i = 0; i < electors.size(); i++) {
            if (electors.get(i).isLeader()) {
                return i;
            }
        }
        return -1;
    }
}
