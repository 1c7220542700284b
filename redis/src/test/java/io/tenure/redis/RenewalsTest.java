package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.redis.lettuce.LettuceClients;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Renewals that travel together, and what happens where something on the way takes only one lease a script. */
class RenewalsTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final List<TenureEvent> told = new CopyOnWriteArrayList<>();
    private ProxiedPort port;
    private RedisLeaseStore store;
    private RedisCommands<String, String> cli;
    private String name;

    @BeforeEach
    void open() {
        cli = redis.cli();
        name = fresh("job");
        port = new ProxiedPort(LettuceClients.connect(redis.uri()));
        store = RedisLeaseStore.over(port, RedisStoreOptions.defaults());
        store.listen(told::add);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<RenewRequest> hold(int count) {
        List<RenewRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Claim held = StoreFixture.hold(store, lock(claim("{" + name + "-" + i + "}", "a")));
            requests.add(new RenewRequest(held, LeaseKind.LOCK, TTL));
        }
        port.sizes.clear();
        return requests;
    }

    private static void assertRenewed(List<CompletionStage<Renewal>> answers) {
        assertThat(answers).allSatisfy(answer -> assertThat(get(answer)).isInstanceOf(Renewal.Renewed.class));
    }

    private void shorten(List<RenewRequest> requests) {
        requests.forEach(request -> cli.pexpire(request.claim().name() + ":leader", TTL.toMillis() / 2));
    }

    private void assertExtended(RenewRequest request) {
        assertThat(cli.pttl(request.claim().name() + ":leader")).isGreaterThan(TTL.toMillis() / 2);
    }

    @Test
    void law05_two_hundred_and_fifty_renewals_are_three_scripts_each_claim_checked() {
        List<RenewRequest> requests = hold(250);
        RenewRequest released = requests.get(120);
        release(store, released.claim());
        Claim successor = StoreFixture.hold(store, lock(claim(released.claim().name(), "b")));
        RenewRequest passed = requests.get(240);
        cli.set(passed.claim().name() + ":fence:applied", "" + (passed.claim().token() + 1));
        shorten(requests);
        port.sizes.clear();

        List<CompletionStage<Renewal>> answers = store.renew(requests);

        for (int i = 0; i < requests.size(); i++) {
            if (i == 120) {
                assertThat(get(answers.get(i)))
                        .isInstanceOfSatisfying(
                                Renewal.Lost.class,
                                lost -> assertThat(lost.current().orElseThrow().token())
                                        .isEqualTo(successor.token()));
            } else if (i == 240) {
                assertThat(get(answers.get(i))).isInstanceOf(Renewal.Lost.class);
            } else {
                assertThat(get(answers.get(i))).isInstanceOf(Renewal.Renewed.class);
                assertExtended(requests.get(i));
            }
        }
        assertThat(port.sizes).containsExactly(100, 100, 50);
        assertThat(cli.pttl(passed.claim().name() + ":leader")).isLessThanOrEqualTo(TTL.toMillis() / 2);
    }

    @Test
    void law05_a_key_of_a_wrong_type_costs_only_its_own_lease_its_renewal() {
        List<RenewRequest> requests = hold(9);
        List<String> spoilt = List.of(
                requests.get(1).claim().name() + ":leader",
                requests.get(4).claim().name() + ":fence",
                requests.get(7).claim().name() + ":fence:applied");
        spoilt.forEach(key -> {
            cli.del(key);
            cli.rpush(key, "x");
        });
        shorten(requests);

        List<CompletionStage<Renewal>> answers = store.renew(requests);

        for (int i = 0; i < requests.size(); i++) {
            CompletionStage<Renewal> answer = answers.get(i);
            if (i % 3 == 1) {
                assertThatThrownBy(() -> get(answer))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("WRONGTYPE")
                        .hasMessageContaining("-" + i + "}");
            } else {
                assertThat(get(answer)).isInstanceOf(Renewal.Renewed.class);
                assertExtended(requests.get(i));
            }
        }
        assertThat(port.sizes).containsExactly(9);
    }

    @Test
    void where_a_proxy_refuses_keys_of_several_leases_they_are_renewed_one_by_one_from_then_on() {
        List<RenewRequest> requests = hold(5);
        shorten(requests);
        port.refusal = "ERR eval/evalsha command keys must in same slot";

        assertRenewed(store.renew(requests));
        requests.forEach(this::assertExtended);
        assertThat(port.sizes).containsExactly(5, 1, 1, 1, 1, 1);
        port.sizes.clear();
        assertRenewed(store.renew(requests));

        assertThat(port.sizes).containsExactly(1, 1, 1, 1, 1);
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TenureEvent.StoreWarning.class,
                        warning -> assertThat(warning.message())
                                .contains("one by one")
                                .contains("keys must in same slot"));
    }

    @Test
    void of_several_batches_that_a_proxy_refuses_all_are_renewed_and_it_is_told_once() {
        List<RenewRequest> requests = hold(230);
        shorten(requests);
        port.refusal = "CROSSSLOT Keys in request don't hash to the same slot";

        assertRenewed(store.renew(requests));

        requests.forEach(this::assertExtended);
        assertThat(port.sizes).hasSize(3 + 230);
        assertThat(told).hasSize(1);
    }

    @Test
    void law27_a_refusal_that_one_alone_gets_too_is_that_of_all_and_costs_one_command_more() {
        List<RenewRequest> requests = hold(5);
        port.refusal = "NOPERM this user has no permissions to run the 'evalsha' command";
        port.refused = 1;

        assertThat(store.renew(requests))
                .allSatisfy(answer -> assertThatThrownBy(() -> get(answer))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isTransient()).isFalse())
                        .hasMessageContaining("NOPERM"));
        assertThat(port.sizes).containsExactly(5, 1);

        port.refusal = "";
        port.sizes.clear();
        assertRenewed(store.renew(requests));
        assertThat(port.sizes).containsExactly(5);
        assertThat(told).isEmpty();
    }

    @Test
    void a_batch_that_fails_in_passing_is_not_sent_again() {
        List<RenewRequest> requests = hold(5);
        port.refusal = "LOADING Redis is loading the dataset in memory";

        assertThat(store.renew(requests))
                .allSatisfy(answer -> assertThatThrownBy(() -> get(answer))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isTransient()).isTrue()));
        assertThat(port.sizes).containsExactly(5);
    }

    @Test
    void a_renewal_that_was_given_up_is_not_sent_alone() {
        List<RenewRequest> requests = hold(3);
        port.refusal = "CROSSSLOT Keys in request don't hash to the same slot";
        port.held = new CompletableFuture<>();
        List<CompletionStage<Renewal>> answers = store.renew(requests);
        answers.get(0).toCompletableFuture().cancel(false);
        answers.get(2).toCompletableFuture().cancel(false);

        port.held.complete(null);

        assertRenewed(answers.subList(1, 2));
        assertThat(port.sizes).containsExactly(3, 1);
        assertThat(port.names).containsExactly(requests.get(1).claim().name());
    }

    /** A way to the server on which something refuses renewals of {@link #refused} leases or more in one script. */
    private static final class ProxiedPort implements RedisPort {
        /** How many leases each renewal sent had. */
        final List<Integer> sizes = new CopyOnWriteArrayList<>();
        /** The leases that were renewed alone. */
        final List<String> names = new CopyOnWriteArrayList<>();

        private final RedisPort port;
        volatile String refusal = "";
        volatile int refused = 2;
        /** What refusals wait for. */
        volatile CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

        ProxiedPort(RedisPort port) {
            this.port = port;
        }

        @Override
        public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
            if (!script.name().equals("renew")) {
                return port.run(script, keys, args);
            }
            sizes.add(keys.length / 3);
            if (!refusal.isEmpty() && keys.length / 3 >= refused) {
                StoreException failure = RedisErrors.ofReply(refusal);
                return held.thenCompose(now -> CompletableFuture.failedFuture(failure));
            }
            if (keys.length == 3) {
                names.add(LeaseKeys.nameOf(Arrays.copyOf(keys[0], keys[0].length)));
            }
            return port.run(script, keys, args);
        }

        @Override
        public CompletionStage<List<byte[]>> keys(byte[] pattern) {
            return port.keys(pattern);
        }

        @Override
        public void subscribe(String channel, Subscriber subscriber) {
            port.subscribe(channel, subscriber);
        }

        @Override
        public boolean isCluster() {
            return port.isCluster();
        }

        @Override
        public Duration timeout() {
            return port.timeout();
        }

        @Override
        public void close() {
            port.close();
        }

        @Override
        public String toString() {
            return port.toString();
        }
    }
}
