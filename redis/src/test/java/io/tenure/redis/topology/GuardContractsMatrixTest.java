package io.tenure.redis.topology;

import io.tenure.redis.ContractServer;
import io.tenure.redis.Primaries;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreClient;
import io.tenure.redis.jedis.JedisFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.SentinelGroup;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every client on every topology keeps the contracts of fences; that of Lettuce on one server has classes of its own. */
class GuardContractsMatrixTest {
    @RegisterExtension
    static final RedisServerRule standalone = new RedisServerRule();

    @RegisterExtension
    static final SentinelGroup sentinel = SentinelGroup.steady();

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    @RegisterExtension
    static final MatrixCount count = new MatrixCount("Guard");

    @Nested
    class JedisStandalone extends GuardContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(standalone), StoreClient.jedis(standalone.uri()));
        }
    }

    @Nested
    class LettuceSentinel extends GuardContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(sentinel), StoreClient.lettuce(sentinel.uri()));
        }
    }

    @Nested
    class JedisSentinel extends GuardContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(
                    Primaries.of(sentinel),
                    StoreClient.jedis(JedisFixture.client(sentinel, JedisFixture.SOCKET_TIMEOUT)));
        }
    }

    @Nested
    class LettuceCluster extends GuardContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(Primaries.of(cluster), StoreClient.lettuce(cluster));
        }
    }

    @Nested
    class JedisCluster extends GuardContracts {
        @Override
        ContractServer servers() {
            return new ContractServer(
                    Primaries.of(cluster),
                    StoreClient.jedis(JedisFixture.client(cluster, JedisFixture.SOCKET_TIMEOUT)));
        }
    }
}
