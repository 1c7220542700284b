package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Leases of one slot, everything that can be done to them, and whether the server has done it. */
public final class LeaseUnderWay {
    /** Less than a renewal asks for, so that it shows whether there was one. */
    private static final String SHORTER = "20000";

    private final RedisLeaseStore store;
    private final RedisProcess on;
    private final String name = fresh("{replays}");
    private final Claim held;
    private final Claim left;
    private final String leftValue;
    private String countedAs = "";

    /** Takes the leases; all scripts are known afterwards, so that none fails for another reason. */
    public LeaseUnderWay(RedisLeaseStore store, RedisProcess on) {
        this.store = store;
        this.on = on;
        held = hold(store, lock(claim(name, "a")));
        left = hold(store, lock(claim(name + "left", "a")));
        leftValue = on.cli("GET", leader("left"));
        Claim other = hold(store, lock(claim(name + "other", "a")));
        count(other);
        renew(store, other, LeaseKind.LOCK);
        release(store, other);
        on.cli("PEXPIRE", leader(""), SHORTER);
    }

    public String name() {
        return name;
    }

    private String leader(String suffix) {
        return name + suffix + ":leader";
    }

    private CompletionStage<RedisReply> write(Claim claim) {
        return store.fence(claim.name())
                .async()
                .eval(claim.token(), "return redis.call('INCR', KEYS[2])", List.of(claim.name() + "-state"), List.of());
    }

    private void count(Claim claim) {
        assertThat(get(write(claim)).asLong()).isEqualTo(1);
    }

    /** A renewal, a fenced write, an attempt to acquire and a release, each of a name or key of its own. */
    public Map<String, CompletionStage<?>> useAll() {
        Map<String, CompletionStage<?>> calls = new LinkedHashMap<>();
        calls.put(
                "renew",
                store.renew(List.of(new RenewRequest(held, LeaseKind.LOCK, TTL)))
                        .get(0));
        calls.put("write", write(held));
        calls.put("acquire", store.acquire(lock(claim(name + "free", "a"))));
        calls.put("release", store.release(new ReleaseRequest(left, Duration.ZERO, ReleaseMode.PLAIN)));
        return calls;
    }

    /** Nothing of {@link #useAll} has been done. */
    public void assertUntouched() {
        assertThat(ttl()).as("neither gone nor renewed").isBetween(1L, Long.parseLong(SHORTER));
        assertThat(on.cli("EXISTS", name + "-state")).as("written").isEqualTo("0");
        assertThat(on.cli("EXISTS", leader("free"))).as("acquired").isEqualTo("0");
        assertThat(on.cli("EXISTS", leader("left"))).as("not released").isEqualTo("1");
    }

    private long ttl() {
        return Long.parseLong(on.cli("PTTL", leader("")));
    }

    /** Whether all of {@link #useAll} has been done. */
    public boolean isDone() {
        return ttl() > Long.parseLong(SHORTER)
                && on.cli("EXISTS", name + "-state").equals("1")
                && on.cli("EXISTS", leader("free")).equals("1")
                && on.cli("EXISTS", leader("left")).equals("0");
    }

    /** Puts back by hand what was done, so that {@link #assertDoneOnce} sees it when it is done again. */
    public void putBack() {
        on.cli("PEXPIRE", leader(""), SHORTER);
        countedAs = on.cli("GET", name + "free:fence");
        on.cli("DEL", leader("free"));
        on.cli("SET", leader("left"), leftValue, "PX", SHORTER);
    }

    /** What was done before {@link #putBack} has not been done since. */
    public void assertDoneOnce() {
        assertThat(ttl()).as("renewed once").isBetween(1L, Long.parseLong(SHORTER));
        assertThat(on.cli("GET", name + "-state")).as("written once").isEqualTo("1");
        assertThat(on.cli("EXISTS", leader("free"))).as("acquired once").isEqualTo("0");
        assertThat(on.cli("GET", name + "free:fence")).as("counted once").isEqualTo(countedAs);
        assertThat(on.cli("EXISTS", leader("left"))).as("released once").isEqualTo("1");
    }
}
