package io.tenure.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.redis.servers.RawConnection.ErrorReply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ClusterGroupTest {
    @RegisterExtension
    static final ClusterGroup CLUSTER = ClusterGroup.failingOver();

    @Test
    void three_primaries_share_the_slots_and_have_a_replica_each() {
        assertThat(CLUSTER.primaries()).hasSize(3);
        assertThat(CLUSTER.primaries())
                .allSatisfy(primary -> assertThat(CLUSTER.replicasOf(primary)).hasSize(1));
        assertThat(CLUSTER.uris()).hasSize(6).doesNotHaveDuplicates();
        assertThat(List.of(CLUSTER.ownerOf(0), CLUSTER.ownerOf(8_000), CLUSTER.ownerOf(ClusterGroup.SLOTS - 1)))
                .containsExactlyInAnyOrderElementsOf(CLUSTER.primaries());
    }

    @Test
    void a_killed_primary_is_replaced_by_its_replica_and_follows_when_it_comes_back() {
        int slot = CLUSTER.slotOf("{a}");
        CLUSTER.ownerOf(slot).cli("SET", "{a}kept", "v");
        CLUSTER.awaitOk();

        RedisProcess down = CLUSTER.downPrimary(slot);
        RedisProcess next = CLUSTER.awaitFailover(slot, down);

        assertThat(next).isNotSameAs(down);
        assertThat(next.cli("GET", "{a}kept")).isEqualTo("v");
        assertThat(CLUSTER.replicasOf(next)).isEmpty();
        down.start();
        CLUSTER.awaitOk();
        assertThat(CLUSTER.replicasOf(next)).containsExactly(down);
        assertThat(down.info("role")).isEqualTo("slave");
    }

    @Test
    void what_was_written_behind_a_cut_link_is_lost_with_a_paused_primary() {
        int slot = CLUSTER.slotOf("{b}");
        RedisProcess first = CLUSTER.ownerOf(slot);
        first.cli("SET", "{b}kept", "v");
        CLUSTER.awaitOk();

        CLUSTER.cutLinks(first);
        first.cli("SET", "{b}lost", "v");
        first.pause();
        RedisProcess next = CLUSTER.awaitFailover(slot, first);
        first.resume();
        CLUSTER.joinLinks();
        CLUSTER.awaitOk();

        assertThat(next.cli("EXISTS", "{b}kept", "{b}lost")).isEqualTo("1");
        assertThat(CLUSTER.replicasOf(next)).containsExactly(first);
    }

    @Test
    void joined_links_bring_what_was_written_while_they_were_cut() {
        int slot = CLUSTER.slotOf("{d}");
        RedisProcess primary = CLUSTER.ownerOf(slot);
        RedisProcess replica = CLUSTER.replicasOf(primary).get(0);

        CLUSTER.cutLinks(primary);
        primary.cli("SET", "{d}", "v");
        assertThat(primary.info("connected_slaves")).isEqualTo("0");
        CLUSTER.joinLinks();
        CLUSTER.awaitOk();

        try (RawConnection connection = RawConnection.to(replica.port())) {
            connection.call("READONLY");
            assertThat(connection.call("GET", "{d}")).isEqualTo("v");
        }
        assertThat(CLUSTER.ownerOf(slot)).isSameAs(primary);
    }

    @Test
    void a_slot_on_its_way_asks_and_then_has_moved_with_its_keys() {
        int slot = CLUSTER.slotOf("{c}");
        RedisProcess from = CLUSTER.ownerOf(slot);
        RedisProcess to = CLUSTER.primaries().stream()
                .filter(primary -> primary != from)
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < 150; i++) {
            from.cli("SET", "{c}" + i, "v" + i);
        }

        SlotMove move = CLUSTER.beginMove(slot, to);
        assertThat(from.cli("GET", "{c}7")).isEqualTo("v7");
        move.keys(List.of("{c}7"));

        assertThatThrownBy(() -> from.cli("GET", "{c}7"))
                .isInstanceOf(ErrorReply.class)
                .hasMessage("ASK " + slot + " 127.0.0.1:" + to.port());
        assertThatThrownBy(() -> to.cli("GET", "{c}7")).hasMessageStartingWith("MOVED " + slot);
        try (RawConnection connection = RawConnection.to(to.port())) {
            connection.call("ASKING");
            assertThat(connection.call("GET", "{c}7")).isEqualTo("v7");
            connection.call("ASKING");
            assertThatThrownBy(() -> connection.call("MGET", "{c}7", "{c}8")).hasMessageStartingWith("TRYAGAIN");
        }

        move.keys();
        move.finish();

        assertThat(CLUSTER.ownerOf(slot)).isSameAs(to);
        assertThat(to.cli("CLUSTER", "COUNTKEYSINSLOT", "" + slot)).isEqualTo("150");
        assertThatThrownBy(() -> from.cli("GET", "{c}7")).hasMessage("MOVED " + slot + " 127.0.0.1:" + to.port());
        CLUSTER.moveSlot(slot, from);
        assertThat(from.cli("GET", "{c}149")).isEqualTo("v149");
    }
}
