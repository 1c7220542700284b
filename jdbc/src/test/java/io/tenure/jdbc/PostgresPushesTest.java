package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.jdbc.servers.Product;
import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the contract of wake-ups cannot see: what pushes cost, and who is passed over. */
class PostgresPushesTest extends PushScene {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Override
    PooledStores stores() {
        return stores;
    }

    @Test
    void law21_with_nobody_waiting_acquiring_and_releasing_are_one_statement_each() {
        String name = fresh();
        release(hold(name));
        counted.forget();

        Claim held = hold(name);
        assertThat(counted.seen()).hasSize(1);
        release(held);

        assertThat(counted.seen()).hasSize(2).noneMatch(sql -> sql.contains("pg_notify"));
    }

    @Test
    void law21_a_release_that_somebody_waits_for_is_two_statements_whatever_their_number() {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        for (int i = 0; i < 20; i++) {
            ask(first.store, name, "other" + i);
        }
        counted.forget();

        release(held);

        assertThat(counted.seen()).hasSize(2);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    /** Where nobody waited, nobody is looked for. */
    @Test
    void law21_who_waits_is_told_also_by_a_store_whose_releases_met_nobody() {
        String name = fresh();
        release(hold(name));
        release(hold(name));
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        counted.forget();

        release(held);

        assertThat(counted.seen()).hasSize(3);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    @Test
    void law21_a_waiter_that_was_seen_lately_asks_again_by_one_statement() {
        String name = fresh();
        hold(name);
        JdbcLeaseStore store = open(JdbcLeaseStore.over(counted.over(stores.pool())));
        ask(store, name, "me");
        counted.forget();

        assertThat(ask(store, name, "me").place()).isEqualTo(1);

        assertThat(counted.seen()).hasSize(1);
    }

    @Test
    void law21_who_is_told_and_does_not_ask_within_two_seconds_is_gone() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        List<Waiter> gone = List.of(new Waiter(name), new Waiter(name));
        Waiter alive = new Waiter(name);
        gone.forEach(waiter -> waiter.store.close());
        release(held);
        Claim again = hold(name);
        assertThat(alive.ask().place()).isEqualTo(3);

        await().until(() -> alive.ask().place() == 1);
        release(again);

        await().until(() -> alive.wakes.contains(Duration.ZERO));
        assertThat(line(name)).contains(alive.incarnation).doesNotContain(gone.get(0).incarnation);
    }

    @Test
    void law21_who_is_told_and_asks_again_keeps_its_place_for_as_long_as_before() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        release(held);
        hold(name);
        first.ask();

        TimeUnit.MILLISECONDS.sleep(2_200); // longer than somebody is waited for that was told

        assertThat(ask(holder, name, "another").place()).isEqualTo(2);
    }

    @Test
    void law21_who_cannot_hear_keeps_its_place_and_is_passed_over() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        JdbcLeaseStore deaf = open(JdbcLeaseStore.over(stores.pool()));
        ask(deaf, name, "deaf");
        ask(deaf, name, "deaf too");
        Waiter hearing = new Waiter(name);

        release(held);

        await().until(() -> hearing.wakes.contains(Duration.ZERO));
        hold(name);
        assertThat(ask(deaf, name, "deaf").place()).isEqualTo(1);
        assertThat(hearing.ask().place()).isEqualTo(3);
    }

    @Test
    void law21_a_release_that_keeps_the_name_taken_tells_when_it_will_be_free() {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);

        get(holder.release(new ReleaseRequest(held, Duration.ofMillis(700), ReleaseMode.PLAIN)));

        await().until(() -> first.wakes.contains(Duration.ofMillis(701)));
    }

    @Test
    void law21_names_that_are_hard_to_quote_are_told_too() {
        for (String name : List.of(fresh() + " ' \" \\ # - ", fresh() + "\uD83D\uDC51", "x".repeat(500) + fresh())) {
            Claim held = hold(name);
            Waiter first = new Waiter(name);

            release(held);

            await().until(() -> first.wakes.contains(Duration.ZERO));
        }
    }
}
