package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.redis.lettuce.LettuceClients;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a standalone server shows only when the port is bent: the shape of a cluster, and a clock that is far off. */
class BentPortTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private RedisCommands<String, String> cli;
    private String name;

    @BeforeEach
    void freshName() {
        cli = redis.cli();
        name = fresh("job");
    }

    private static RedisLeaseStore cluster() {
        return store(BentPort.Shape.CLUSTER, UnaryOperator.identity());
    }

    private static RedisLeaseStore store(BentPort.Shape shape, UnaryOperator<RedisScript> scripts) {
        RedisPort port = LettuceClients.connect(redis.uri());
        return RedisLeaseStore.over(new BentPort(port, shape, scripts), RedisStoreOptions.defaults());
    }

    @Test
    void law28_on_a_cluster_a_name_and_its_tagged_form_are_one_lease() {
        try (RedisLeaseStore store = cluster()) {
            assertThat(store.canonicalName(name)).isEqualTo("{" + name + "}");
            assertThat(store.canonicalName("{" + name + "}")).isEqualTo("{" + name + "}");
            Claim held = hold(store, lock(claim(store.canonicalName(name), "a")));

            assertThat(cli.get("{" + name + "}:leader")).isNotNull();
            store.fence(name).set(held.token(), "{" + name + "}-state", "v");
            assertThat(store.fence("{" + name + "}").name())
                    .isEqualTo(store.fence(name).name());
            assertThat(cli.get("{" + name + "}-state")).isEqualTo("v");
        }
    }

    @Test
    void law28_a_fenced_write_to_another_slot_is_refused_before_it_is_sent() {
        try (RedisLeaseStore store = cluster()) {
            Claim held = hold(store, lock(claim(store.canonicalName(name), "a")));

            assertThatThrownBy(() -> store.fence(name).set(held.token(), "elsewhere", "v"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("slot " + ClusterNames.slot("elsewhere".getBytes()))
                    .hasMessageContaining("slot " + ClusterNames.slot(name.getBytes()));
            assertThat(cli.exists("elsewhere")).isZero();
        }
    }

    @Test
    void law21_on_a_cluster_a_release_wakes_the_first_in_line_and_tells_the_second_to_look_later() {
        try (RedisLeaseStore store = cluster()) {
            String canonical = store.canonicalName(name);
            Claim held = hold(store, lock(claim(canonical, "a")));
            List<List<Duration>> wakes = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Claim waiter = claim(canonical, "w");
                List<Duration> seen = new CopyOnWriteArrayList<>();
                wakes.add(seen);
                store.wakeups().await(canonical, waiter.incarnation(), seen::add);
                await().until(() -> store.wakeups().isLive());
                seen.clear();
                denied(store, waiting(lock(waiter), Duration.ofSeconds(20)));
            }

            release(store, held);

            await().until(() -> wakes.get(0).contains(Duration.ZERO));
            await().untilAsserted(() -> assertThat(wakes.get(1)).containsExactly(Duration.ofMillis(50)));
            assertThat(cli.zcard(canonical + ":waiters")).isEqualTo(2);
        }
    }

    @Test
    void on_a_cluster_renewals_of_one_slot_travel_together() {
        List<String> runs = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore store = store(BentPort.Shape.CLUSTER, script -> {
            runs.add(script.name());
            return script;
        })) {
            List<RenewRequest> requests = new ArrayList<>();
            for (String lease : List.of("{x}1", "{y}1", "{x}2", "{y}2", "{x}3")) {
                Claim held = hold(store, lock(claim(lease + name, "a")));
                requests.add(new RenewRequest(held, LeaseKind.LOCK, TTL));
            }
            runs.clear();

            List<CompletionStage<Renewal>> answers = store.renew(requests);

            assertThat(answers).allSatisfy(answer -> assertThat(get(answer)).isInstanceOf(Renewal.Renewed.class));
            assertThat(runs).containsExactly("renew", "renew");
        }
    }

    @Test
    void at_most_a_hundred_renewals_travel_in_one_script() {
        List<String> runs = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore store = store(BentPort.Shape.STANDALONE, script -> {
            runs.add(script.name());
            return script;
        })) {
            List<RenewRequest> requests = new ArrayList<>();
            for (int i = 0; i < 201; i++) {
                requests.add(new RenewRequest(hold(store, lock(claim(name + i, "a"))), LeaseKind.LOCK, TTL));
            }
            for (int size : new int[] {100, 101, 200, 201}) {
                runs.clear();
                assertThat(store.renew(requests.subList(0, size)))
                        .hasSize(size)
                        .allSatisfy(answer -> assertThat(get(answer)).isInstanceOf(Renewal.Renewed.class));
                assertThat(runs)
                        .as(size + " renewals")
                        .hasSize((size + 99) / 100)
                        .containsOnly("renew");
            }
        }
    }

    @Test
    void law06_a_clock_beyond_2_to_the_52_is_ignored_and_reported_once() {
        UnaryOperator<RedisScript> yearAfter2112 = script ->
                RedisScript.of(script.name(), script.body().replace("redis.call('TIME')", "{ '4503599628', '0' }"));
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore store = store(BentPort.Shape.STANDALONE, yearAfter2112)) {
            store.listen(events::add);

            assertThat(granted(store, lock(claim(name, "a"))).token()).isEqualTo(1);
            assertThat(granted(store, lock(claim(name + "2", "a"))).token()).isEqualTo(1);

            assertThat(events)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            TenureEvent.StoreWarning.class,
                            warning -> assertThat(warning.message()).contains("clock"));
        }
    }

    @Test
    void law27_a_listing_leaves_out_keys_of_another_type_and_nothing_that_the_server_failed_to_tell() {
        String told = name + "-WRONGTYPE-1";
        String failing = name + "-WRONGTYPE-2";
        UnaryOperator<RedisScript> busy = script -> script.name().equals("find")
                ? RedisScript.of(
                        "find",
                        "if KEYS[1] == '" + failing + ":leader' then return redis.error_reply('BUSY now') end\n"
                                + script.body())
                : script;
        try (RedisLeaseStore store = store(BentPort.Shape.STANDALONE, busy)) {
            hold(store, lock(claim(told, "a")));
            cli.rpush(name + "-WRONGTYPE-3:leader", "x");
            cli.rpush(name + "-WRONGTYPE-4:leader", "x");
            assertThat(get(store.list(name, 10))).extracting(LeaseRecord::name).containsExactly(told);
            assertThatThrownBy(() -> get(store.find(name + "-WRONGTYPE-3"))).hasMessageContaining("another type");

            hold(store, lock(claim(failing, "a")));

            assertThatThrownBy(() -> get(store.list(name, 10)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("BUSY now");
        }
    }
}
