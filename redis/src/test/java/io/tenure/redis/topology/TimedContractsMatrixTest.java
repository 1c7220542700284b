package io.tenure.redis.topology;

import io.tenure.redis.ContractServer;
import io.tenure.redis.Primaries;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreClient;
import io.tenure.redis.jedis.JedisFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.SentinelGroup;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every client on every topology keeps the contracts of a store; that of Lettuce on one server has classes of its own. */
class TimedContractsMatrixTest {
    /** Nodes of a cluster know only of their own listeners. */
    private static final Duration NOBODY_COUNTS = Duration.ofMillis(50);

    @RegisterExtension
    static final RedisServerRule standalone = new RedisServerRule();

    @RegisterExtension
    static final SentinelGroup sentinel = SentinelGroup.steady();

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    @RegisterExtension
    static final MatrixCount count = new MatrixCount("Timed");

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class JedisStandalone extends TimedContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(standalone), StoreClient.jedis(standalone.uri()));
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class LettuceSentinel extends TimedContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(sentinel), StoreClient.lettuce(sentinel.uri()));
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class JedisSentinel extends TimedContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(
                    Primaries.of(sentinel),
                    StoreClient.jedis(JedisFixture.client(sentinel, JedisFixture.SOCKET_TIMEOUT)));
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class LettuceCluster extends TimedContracts {
        @Override
        Duration passingOver() {
            return NOBODY_COUNTS;
        }

        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(cluster), StoreClient.lettuce(cluster));
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class JedisCluster extends TimedContracts {
        @Override
        Duration passingOver() {
            return NOBODY_COUNTS;
        }

        @Override
        ContractServer servers() {
            return new ContractServer(
                    Primaries.of(cluster),
                    StoreClient.jedis(JedisFixture.client(cluster, JedisFixture.SOCKET_TIMEOUT)));
        }
    }
}
