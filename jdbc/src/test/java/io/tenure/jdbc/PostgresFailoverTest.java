package io.tenure.jdbc;

import static io.tenure.jdbc.Asking.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.jdbc.servers.PostgresPair;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary that dies, and an asynchronous standby that is promoted, with and without the last commits. */
class PostgresFailoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private PostgresPair pair;
    private HikariDataSource pool;
    private JdbcLeaseStore store;

    @BeforeEach
    void start() throws Exception {
        pair = PostgresPair.start();
        HikariConfig config = new HikariConfig();
        config.setDataSource(pair.whicheverIsPrimary());
        config.setConnectionTimeout(500);
        pool = new HikariDataSource(config);
        store = JdbcLeaseStore.over(
                pool,
                JdbcStoreOptions.builder().callTimeout(Duration.ofSeconds(1)).build());
        store.createSchema();
        JdbcFence.createSchema(pool);
    }

    @AfterEach
    void end() throws Exception {
        store.close();
        pool.close();
        pair.close();
    }

    @Test
    void law06_a_lock_is_held_across_the_fail_over_and_the_next_token_is_higher() throws Exception {
        List<TenureEvent> told = new CopyOnWriteArrayList<>();
        LockOptions options = LockOptions.ofTtl(Duration.ofSeconds(20)).build();
        try (Tenure tenure = Tenure.over(store).observer(told::add).open()) {
            HeldLock held = tenure.lock("carried", options).acquire();
            pair.awaitCaughtUp();

            pair.failOver();

            await().atMost(PATIENCE)
                    .until(() -> held.remaining().compareTo(Duration.ofSeconds(15)) > 0); // renewed since
            held.close();
            try (HeldLock next = tenure.lock("carried", options).acquire()) {
                assertThat(next.token()).isGreaterThan(held.token());
            }
        }
        assertThat(told).noneMatch(TenureEvent.LeaseLost.class::isInstance);
    }

    @Test
    void law06_a_grant_that_the_new_primary_lacks_is_lost_and_the_next_token_is_higher_all_the_same() throws Exception {
        JdbcFence fence = JdbcFence.over(pool, "lost");
        Claim before = Asking.granted(store, Asking.election("lost", 1));
        fence.claim(before.token());
        Claim released = Asking.granted(store, Asking.election("released", 1));
        pair.awaitCaughtUp();
        pair.cutLink();
        assertThat(answer(store.release(Asking.releasing(before)))).isTrue();
        assertThat(answer(store.release(Asking.releasing(released)))).isTrue();
        LeaseRequest second = request("lost", "bob");
        Claim lost = Asking.granted(store, second);
        fence.claim(lost.token());

        pair.failOver();

        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> answer(store.find("lost")).isPresent());
        assertThat(answer(store.renew(List.of(Asking.renewing(lost))).get(0))).isInstanceOf(Renewal.Lost.class);
        assertThat(answer(store.acquire(request("released", "bob"))))
                .as("a lease whose release was lost is taken until it is over")
                .isInstanceOf(Acquisition.Denied.class);
        assertThatThrownBy(() -> fence.guardedUpdate(lost.token(), "DELETE FROM tenure_fence WHERE token < 0"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(fence.guardedUpdate(before.token(), "DELETE FROM tenure_fence WHERE token < 0"))
                .as("current again, until the next claim")
                .isZero();
        assertThat(answer(store.renew(List.of(Asking.renewing(before))).get(0)))
                .isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
        assertThat(answer(store.release(Asking.releasing(before)))).isTrue();
        Claim next = Asking.granted(store, request("lost", "carol"));
        assertThat(next.token()).isGreaterThan(lost.token());
        fence.claim(next.token());
        assertThatThrownBy(() -> fence.guardedUpdate(before.token(), "DELETE FROM tenure_fence WHERE token < 0"))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void law27_a_standby_is_told_as_read_only_for_good_with_what_to_do() throws Exception {
        Asking.granted(store, Asking.election("read", 1));
        pair.awaitCaughtUp();
        List<TenureEvent> told = new CopyOnWriteArrayList<>();
        try (JdbcLeaseStore onStandby = JdbcLeaseStore.over(pair.standby())) {
            onStandby.listen(told::add);
            assertThat(answer(onStandby.find("read"))).isPresent();

            StoreException refused = Asking.failure(onStandby.acquire(Asking.election("other", 1)));
            onStandby.wakeups().await("other", "me", after -> {});

            assertThat(refused.isTransient()).isFalse();
            assertThat(refused).hasMessageContainingAll("read-only", "primary");
            assertThatThrownBy(() -> JdbcFence.over(pair.standby(), "read").claim(1))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining("primary");
            assertThatThrownBy(onStandby::createSchema).hasMessageContaining("primary");
            await().atMost(PATIENCE).until(() -> !told.isEmpty());
            assertThat(told).singleElement().asString().contains("polling only", "recovery");
        }
    }

    private static LeaseRequest request(String name, String who) {
        Claim claim = new Claim(name, who, who, 1, 0);
        return new LeaseRequest(claim, LeaseKind.ELECTION, Duration.ofMinutes(1), 0, Takeover.NONE, Duration.ZERO);
    }
}
