package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.jdbc.BoundJdbcFence;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.testkit.HandTerm;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FenceOptionsTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    @Test
    void settings_out_of_range_are_refused_with_the_range() {
        assertRefused(builder -> builder.claimTimeout(Duration.ofMillis(99)), "PT0.099S", "100 ms to 1 h");
        assertRefused(builder -> builder.claimTimeout(Duration.ofHours(1).plusNanos(1)), "claimTimeout");
        assertRefused(builder -> builder.updateTimeout(Duration.ofMillis(999)), "PT0.999S", "1 s to 24 h");
        assertRefused(builder -> builder.updateTimeout(Duration.ofHours(24).plusNanos(1)), "updateTimeout");
        for (String name : List.of("", "1st", "a b", "a;DROP TABLE x", "a\"b", "x".repeat(64))) {
            assertRefused(builder -> builder.table(name), "table is '" + name + "'", "no digit first");
            assertRefused(builder -> builder.schema(name), "schema is '" + name + "'", "no digit first");
        }
        assertThat(JdbcFenceOptions.defaults().updateTimeout()).isEmpty();
        assertThat(JdbcFenceOptions.defaults().schema()).isEmpty();
        JdbcFenceOptions options = JdbcFenceOptions.builder()
                .schema("leases")
                .table("fences")
                .claimTimeout(Duration.ofNanos(100_999_999))
                .updateTimeout(Duration.ofMillis(1_999))
                .build();
        assertThat(options.table()).isEqualTo("fences");
        assertThat(options.schema()).contains("leases");
        assertThat(options.claimTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(options.updateTimeout()).contains(Duration.ofSeconds(1));
        assertThat(options)
                .hasToString("JdbcFenceOptions(table leases.fences, claimTimeout PT0.1S, updateTimeout PT1S)");
    }

    private static void assertRefused(UnaryOperator<JdbcFenceOptions.Builder> setting, String... said) {
        assertThatThrownBy(() -> setting.apply(JdbcFenceOptions.builder()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(said);
    }

    @Test
    void law30_a_name_that_no_lease_can_have_is_refused() {
        assertThatThrownBy(() -> JdbcFence.over(POSTGRES.dataSource(), ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_table_of_another_name_in_a_schema_of_its_own_has_marks_of_its_own() throws SQLException {
        for (SqlDatabase database : List.of(POSTGRES, H2)) {
            database.execute("CREATE SCHEMA leases");
            JdbcFenceOptions options =
                    JdbcFenceOptions.builder().schema("leases").table("fences").build();
            JdbcFence.createSchema(database.dataSource(), options);
            JdbcFence.createSchema(database.dataSource());
            JdbcFence own = JdbcFence.over(database.dataSource(), "job", options);
            JdbcFence other = JdbcFence.over(database.dataSource(), "job");

            own.claim(9);
            other.claim(3);

            assertThatThrownBy(() -> own.claim(3)).isInstanceOf(StaleTokenException.class);
        }
    }

    @Test
    void the_table_can_be_made_by_many_at_once_and_again() throws Exception {
        JdbcFenceOptions options =
                JdbcFenceOptions.builder().table("made_at_once").build();
        List<Later<Boolean>> makers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            makers.add(Later.doing(() -> JdbcFence.createSchema(POSTGRES.dataSource(), options)));
        }
        for (Later<Boolean> maker : makers) {
            maker.join();
        }

        JdbcFence.over(POSTGRES.dataSource(), "job", options).claim(1);
        JdbcFence.createSchema(POSTGRES.dataSource(), options);

        assertThatThrownBy(() -> JdbcFence.over(POSTGRES.dataSource(), "job", options)
                        .guardedUpdate(2, "DELETE FROM made_at_once"))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void law25_a_bound_fence_carries_the_token_of_its_lease_and_of_no_other() throws SQLException {
        JdbcFence.createSchema(H2.dataSource());
        JdbcFence fence = JdbcFence.over(H2.dataSource(), "bound");
        H2.execute("CREATE TABLE bound (id INT PRIMARY KEY)");
        BoundJdbcFence bound = fence.bind(HandTerm.held("bound", 7));

        bound.claim();
        assertThat(bound.token()).isEqualTo(7);
        assertThat(bound.guardedUpdate("INSERT INTO bound VALUES (?)", 1)).isEqualTo(1);
        try (Connection connection = H2.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            bound.require(connection);
            connection.rollback();
        }

        assertThatThrownBy(() -> fence.bind(HandTerm.held("other", 7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'other'", "'bound'");
        assertThat(fence).hasToString("JdbcFence(bound)");
        assertThat(fence.name()).isEqualTo("bound");
    }

    @Test
    void law26_an_elector_claims_the_fence_before_its_work_begins() throws Exception {
        JdbcFence.createSchema(POSTGRES.dataSource());
        JdbcFence fence = JdbcFence.over(POSTGRES.dataSource(), "elected");
        POSTGRES.execute("CREATE TABLE elected (token BIGINT)");
        CompletableFuture<Term> term = new CompletableFuture<>();
        try (Tenure tenure = Tenure.inMemory()) {
            Elector elector = tenure.elector(
                    "elected",
                    ElectorOptions.ofTtl(Duration.ofSeconds(20)).claims(fence).build());
            elector.campaign(work -> {
                fence.bind(work).guardedUpdate("INSERT INTO elected VALUES (?)", work.token());
                term.complete(work);
            });
            assertThat(term.get(15, TimeUnit.SECONDS).token()).isPositive();
        }
    }
}
