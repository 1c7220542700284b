package io.tenure.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.testkit.net.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ReplicaGroupTest {
    @RegisterExtension
    static final ReplicaGroup GROUP = new ReplicaGroup(2);

    @Test
    void what_is_written_while_the_links_are_cut_reaches_no_replica_until_they_are_joined() {
        GROUP.primary().cli("SET", "before", "1");
        GROUP.awaitInSync();

        GROUP.cutLinks();
        GROUP.primary().cli("SET", "meanwhile", "1");

        assertThat(GROUP.primary().info("connected_slaves")).isEqualTo("0");
        assertThat(GROUP.replica(0).cli("EXISTS", "before", "meanwhile")).isEqualTo("1");

        GROUP.joinLinks();
        GROUP.awaitInSync();
        assertThat(GROUP.replica(0).cli("EXISTS", "before", "meanwhile")).isEqualTo("2");
        assertThat(GROUP.replica(1).cli("EXISTS", "before", "meanwhile")).isEqualTo("2");
    }

    @Test
    void the_primary_believes_in_a_replica_behind_a_held_link() {
        GROUP.link(0).hold(Direction.TO_SERVER);
        GROUP.link(0).hold(Direction.TO_CLIENT);

        // On one connection: WAIT waits for what its own connection wrote.
        try (RawConnection connection = RawConnection.to(GROUP.primary().port(), RedisProcess.BOUND)) {
            connection.call("SET", "held", "1");
            assertThat(connection.call("WAIT", "2", "500")).isEqualTo("1");
            assertThat(GROUP.primary().info("connected_slaves")).isEqualTo("2");

            GROUP.link(0).pass(Direction.TO_SERVER);
            GROUP.link(0).pass(Direction.TO_CLIENT);
            assertThat(connection.call("WAIT", "2", "20000")).isEqualTo("2");
        }
    }
}
