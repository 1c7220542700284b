package io.tenure.redis.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.ElectorOptions;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.Elected;
import io.tenure.redis.StoreClient;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Some instances of one application, which stand for the same roles. */
final class Instances implements AutoCloseable {
    /** Longer than anything takes on a busy machine; reached only by tests that fail. */
    static final Duration BOUND = Duration.ofSeconds(60);

    private final List<Instance> all;

    Instances(int count, Supplier<StoreClient> clients) {
        all = IntStream.range(0, count)
                .mapToObj(i -> new Instance(clients.get()))
                .toList();
    }

    Instance get(int index) {
        return all.get(index);
    }

    Stream<Instance> stream() {
        return all.stream();
    }

    static void until(String what, BooleanSupplier condition) {
        await(what)
                .atMost(BOUND)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition::getAsBoolean);
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Everybody stands for it, the first one leads, and the others know. Returns the token. */
    long elect(String role, ElectorOptions options) {
        Instance first = all.get(0);
        first.stand(role, options);
        until("it leads " + role, () -> first.leads(role));
        all.stream().skip(1).forEach(other -> other.stand(role, options));
        awaitKnown(role);
        return tokenOf(role);
    }

    /** The token that is led by; 0 when nobody leads. */
    long tokenOf(String role) {
        return all.stream().mapToLong(instance -> instance.token(role)).max().orElse(0);
    }

    Instance leaderOf(String role) {
        return all.stream().filter(each -> each.leads(role)).findFirst().orElseThrow();
    }

    private void awaitKnown(String role) {
        until(
                "everybody knows who leads " + role,
                () -> all.stream()
                        .allMatch(instance -> instance.token(role) == tokenOf(role)
                                || instance.follows(role) == tokenOf(role) && tokenOf(role) > 0));
    }

    /** Waits until each role has a leader whose fence lets it write, and everybody knows it. Returns the tokens. */
    Map<String, Long> awaitWorking(Collection<String> roles) {
        Map<String, Long> tokens = new TreeMap<>();
        for (String role : roles) {
            until(role + " is led, and its leader writes", () -> writes(role));
            awaitKnown(role);
            tokens.put(role, tokenOf(role));
        }
        return tokens;
    }

    private boolean writes(String role) {
        return all.stream().anyMatch(instance -> instance.leads(role) && write(instance, role, instance.token(role)));
    }

    /** Whether a write by that token through this instance is accepted. One that fails may pass. */
    static boolean write(Instance through, String role, long token) {
        try {
            through.store.fence(role).set(token, role + ":value", "" + token);
            return true;
        } catch (StoreException e) {
            assertThat(e.isTransient()).as(e.getMessage()).isTrue();
            return false;
        }
    }

    /** One leads, and no token was anybody's twice, or lower than an earlier one. */
    void assertOneHolderAndRisingTokens(String role) {
        assertThat(all.stream().filter(instance -> instance.leads(role))).hasSize(1);
        List<Long> tokens = all.stream()
                .flatMap(instance -> instance.seen(Elected.class).stream())
                .filter(seen -> ((Elected) seen.event()).name().equals(role))
                .sorted(Comparator.comparingLong(Instance.Seen::nanos))
                .map(seen -> ((Elected) seen.event()).token())
                .toList();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(leaderOf(role).tenure.find(role))
                .hasValueSatisfying(record -> assertThat(record.token()).isEqualTo(tokenOf(role)));
    }

    /** What was told of a role that is of one kind, by anybody. */
    <E extends TenureEvent.Named> List<Instance.Seen> told(Class<E> kind, String role) {
        return all.stream()
                .flatMap(instance -> instance.seen(kind).stream())
                .filter(seen -> ((TenureEvent.Named) seen.event()).name().equals(role))
                .toList();
    }

    @Override
    public void close() {
        all.forEach(Instance::close);
    }
}
