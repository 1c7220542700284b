package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.Timeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of leases when something fails that nobody expects: the stack is full, no thread is to be had. */
class EngineErrorsTest {
    private final MemoryLeaseStore memory = MemoryLeaseStore.create();
    private final Map<String, Error> failing = new ConcurrentHashMap<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private final LeaseStore store = (LeaseStore) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (self, method, args) -> {
                Error error = failing.remove(method.getName());
                if (error != null) {
                    throw error;
                }
                if (method.getName().equals("renew")) {
                    renewals.incrementAndGet();
                }
                try {
                    return method.invoke(memory, args);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    @Test
    void law17_an_attempt_whose_sending_ends_with_an_error_fails_instead_of_hanging() {
        try (Tenure tenure = Tenure.over(store).open()) {
            failing.put("acquire", new StackOverflowError());

            assertThatThrownBy(() -> tenure.lock("name").tryAcquire())
                    .isInstanceOf(StoreException.class)
                    .hasCauseInstanceOf(StackOverflowError.class);
            assertThat(tenure.lock("name").tryAcquire()).isPresent();
        }
    }

    @Test
    void law18_a_release_whose_sending_ends_with_an_error_fails_instead_of_hanging() {
        try (Tenure tenure = Tenure.over(store).open()) {
            HeldLock held = tenure.lock("name").tryAcquire().orElseThrow();
            failing.put("release", new StackOverflowError());

            assertThatThrownBy(held::release)
                    .isInstanceOf(StoreException.class)
                    .hasCauseInstanceOf(StackOverflowError.class);
        }
    }

    @Test
    void law10_a_renewal_whose_sending_ends_with_an_error_is_tried_again() {
        LockOptions options = LockOptions.ofTtl(Duration.ofSeconds(3)).renewed().build();
        try (Tenure tenure = Tenure.over(store).open()) {
            HeldLock held = tenure.lock("name", options).tryAcquire().orElseThrow();
            failing.put("renew", new StackOverflowError());

            await().atMost(Duration.ofSeconds(60)).until(() -> renewals.get() >= 2);

            assertThat(failing).as("one renewal failed").isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void law19_closing_ends_although_no_thread_is_to_be_had_for_its_last_step() throws Exception {
        SystemTimeline real = new SystemTimeline();
        Timeline starved = (Timeline) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Timeline.class}, (self, method, args) -> {
                    Object made = method.invoke(real, args);
                    return made instanceof Timeline.Background && args[0].equals("tenure-close")
                            ? threadless((Timeline.Background) made)
                            : made;
                });
        Tenure tenure = Tenure.over(store).timeline(starved).open();
        HeldLock held = tenure.lock("name").tryAcquire().orElseThrow();

        tenure.closeAsync().toCompletableFuture().get(60, TimeUnit.SECONDS);

        assertThat(held.isHeld()).isFalse();
        real.close();
    }

    private static Timeline.Background threadless(Timeline.Background made) {
        return new Timeline.Background() {
            @Override
            public void execute(Runnable task) {
                throw new OutOfMemoryError("unable to create native thread");
            }

            @Override
            public boolean isCurrent() {
                return false;
            }

            @Override
            public void close() {
                made.close();
            }
        };
    }

    @Test
    void law24_an_error_while_a_wait_begins_costs_neither_its_end_nor_that_of_its_tenure() throws Exception {
        try (Tenure holding = Tenure.over(memory.peer()).open()) {
            holding.lock("name").tryAcquire().orElseThrow();
            Tenure waiting = Tenure.over(store).open();
            failing.put("wakeups", new StackOverflowError());

            assertThat(waiting.lock("name").tryAcquire(Duration.ofMillis(300))).isEmpty();

            assertThat(failing).as("it happened").isEmpty();
            waiting.closeAsync().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }
}
