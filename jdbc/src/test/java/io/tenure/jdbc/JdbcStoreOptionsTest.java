package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tenure.TokenSource;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcStoreOptionsTest {
    @Test
    void the_defaults_are_those_that_are_public() {
        JdbcStoreOptions defaults = JdbcStoreOptions.defaults();

        assertThat(defaults.table()).isEqualTo(JdbcStoreOptions.DEFAULT_TABLE);
        assertThat(defaults.schema()).isEmpty();
        assertThat(defaults.retention()).isEqualTo(JdbcStoreOptions.DEFAULT_RETENTION);
        assertThat(defaults.callTimeout()).isEqualTo(JdbcStoreOptions.DEFAULT_CALL_TIMEOUT);
        assertThat(defaults.maxThreads()).isEqualTo(JdbcStoreOptions.DEFAULT_MAX_THREADS);
        assertThat(defaults.tokens()).isEqualTo(TokenSource.STORE_CLOCK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\"b", "a`b", "a;b", "1a", "a.b", "\u00E9", "a--b"})
    void what_is_no_identifier_is_refused_as_table_and_as_schema(String text) {
        JdbcStoreOptions.Builder table = JdbcStoreOptions.builder().table(text);
        JdbcStoreOptions.Builder schema = JdbcStoreOptions.builder().schema(text);

        assertThatIllegalArgumentException()
                .isThrownBy(table::build)
                .withMessageStartingWith("table is '" + text + "'");
        assertThatIllegalArgumentException()
                .isThrownBy(schema::build)
                .withMessageStartingWith("schema is '" + text + "'");
    }

    @Test
    void an_identifier_has_up_to_48_characters() {
        String longest = "t".repeat(48);

        assertThat(JdbcStoreOptions.builder().table(longest).build().table()).isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(JdbcStoreOptions.builder().table(longest + "t")::build);
    }

    @Test
    void values_out_of_range_are_refused_with_the_range() {
        assertThatIllegalArgumentException()
                .isThrownBy(JdbcStoreOptions.builder().callTimeout(Duration.ofMillis(49))::build)
                .withMessage("callTimeout is PT0.049S: it has to be from 50 ms to 10 minutes");
        assertThatIllegalArgumentException()
                .isThrownBy(JdbcStoreOptions.builder().maxThreads(0)::build)
                .withMessage("maxThreads is 0: it has to be from 1 to 256");
        assertThatIllegalArgumentException()
                .isThrownBy(JdbcStoreOptions.builder().retention(Duration.ZERO)::build)
                .withMessage(
                        "retention is PT0S: it has to be from 1 ms to 3650 days. Tokens of locks are kept for ever with"
                                + " TokenSource.COUNTER, and no retention, only");
    }

    @Test
    void options_and_their_store_name_what_was_set() {
        JdbcStoreOptions options = JdbcStoreOptions.builder()
                .schema("infra")
                .table("leases")
                .listenOn(new JdbcDataSource())
                .build();

        assertThat(options)
                .hasToString(
                        "JdbcStoreOptions(table infra.leases, tokens STORE_CLOCK, retention PT1H, callTimeout PT2S,"
                                + " maxThreads 8, callsOn STORE, listenOn a source of its own)");
        assertThat(JdbcStoreOptions.builder().tokens(TokenSource.COUNTER).build())
                .hasToString(
                        "JdbcStoreOptions(table tenure_lease, tokens COUNTER, retention for ever, callTimeout PT2S,"
                                + " maxThreads 8, callsOn STORE)");
        try (JdbcLeaseStore store = JdbcLeaseStore.over(new JdbcDataSource(), options)) {
            assertThat(store).hasToString("JdbcLeaseStore(infra.leases)");
        }
    }

    @Test
    void law07_a_counter_that_is_all_there_is_cannot_be_forgotten() {
        JdbcStoreOptions.Builder both =
                JdbcStoreOptions.builder().tokens(TokenSource.COUNTER).retention(Duration.ofHours(1));

        assertThatIllegalArgumentException().isThrownBy(both::build).withMessageContaining("Leave retention out");
        assertThat(JdbcStoreOptions.builder()
                        .tokens(TokenSource.COUNTER)
                        .build()
                        .retention())
                .isZero();
    }
}
