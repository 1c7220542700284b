package io.tenure.redis;

import static io.tenure.redis.RedisLeaseStore.flag;
import static io.tenure.redis.RedisLeaseStore.known;
import static io.tenure.redis.RedisLeaseStore.millis;
import static io.tenure.redis.RedisLeaseStore.number;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Acquires leases: one script, after which replicas are waited for when the options ask for that. */
final class Grants {
    private final RedisPort port;
    private final RedisStoreOptions options;
    private final StoreWarnings warnings;
    private final Runnable onFailure;
    private final @Nullable ReplicatedAcquire replicated;

    /** @param onFailure told of attempts without an answer, before whoever waits for it */
    Grants(
            RedisPort port,
            RedisStoreOptions options,
            StoreWarnings warnings,
            Function<ReleaseRequest, CompletionStage<Boolean>> release,
            Runnable onFailure) {
        this.port = port;
        this.options = options;
        this.warnings = warnings;
        this.onFailure = onFailure;
        this.replicated = options.minReplicas()
                .map(wanted -> new ReplicatedAcquire(port, wanted, release, onFailure))
                .orElse(null);
    }

    CompletionStage<Acquisition> send(LeaseRequest request) {
        Claim claim = request.claim();
        String name = claim.name();
        byte[][] keys = LeaseKeys.all(name.getBytes(UTF_8));
        byte[][] args = {
            LeaseValue.attempt(claim).getBytes(UTF_8),
            claim.incarnation().getBytes(UTF_8),
            millis(request.ttl()),
            number(request.floor()),
            takeover(request.takeover()),
            number(request.lineFor().toMillis()),
            flag(options.tokens() == TokenSource.STORE_CLOCK),
            number(options.retentionMillis(request.kind(), request.ttl()))
        };
        return replicated == null
                ? Relay.of(
                        port.run(Scripts.ACQUIRE, keys, args),
                        "acquiring",
                        name,
                        reply -> answer(name, reply),
                        onFailure)
                : replicated.send(request, keys, args, reply -> answer(name, reply));
    }

    /** By its number in the script, which the order of the constants must not change. */
    private static byte[] takeover(Takeover takeover) {
        return number(
                switch (takeover) {
                    case NONE -> 0;
                    case SAME_INCARNATION -> 1;
                    case ANY_INCARNATION -> 2;
                });
    }

    private Acquisition answer(String name, RedisReply reply) {
        if (reply.at(0).asLong() == 0) {
            return new Acquisition.Denied(
                    LeaseValue.record(name, reply, 1), (int) reply.at(4).asLong());
        }
        if (reply.at(2).isNil()) {
            return new Acquisition.Granted(reply.at(1).asLong(), OptionalLong.empty());
        }
        if (reply.at(3).asLong() == 1) {
            warnings.uselessClock(name);
        }
        return new Acquisition.Granted(reply.at(1).asLong(), known(reply.at(2).asLong()));
    }
}
