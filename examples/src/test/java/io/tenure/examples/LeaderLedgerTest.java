package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaderLedgerTest {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @RegisterExtension
    static final LocalPostgres POSTGRES = new LocalPostgres();

    @Test
    void a_leader_that_was_stopped_for_too_long_adds_no_row_after_those_of_its_successor() throws Exception {
        try (Program first = start()) {
            soon(() -> rows().size() >= 3);
            try (Program second = start()) {
                soon(() -> second.lines().stream().anyMatch(line -> line.startsWith("Following[")));
                first.pause();
                soon(() -> second.tokens("Elected").findFirst().isPresent());
                String successor = "" + second.tokens("Elected").findFirst().orElseThrow();
                soon(() -> rows().contains(successor));

                first.resume();
                soon(() -> first.lines().stream().anyMatch(line -> line.startsWith("SteppedDown[")));
                long since = rows().size();
                soon(() -> rows().size() >= since + 3);

                String token = "" + first.tokens("Elected").findFirst().orElseThrow();
                List<String> rows = rows();
                assertThat(rows.stream().distinct()).containsExactly(token, successor);
                assertThat(rows.lastIndexOf(token)).isLessThan(rows.indexOf(successor));
                first.terminate();
                second.terminate();
                assertThat(first.lines()).endsWith("Stopped");
                assertThat(second.lines()).endsWith("Stopped");
            }
        }
    }

    private static Program start() throws Exception {
        return Program.start(LeaderLedger.class, REDIS.uri(), POSTGRES.url());
    }

    /** The tokens of all rows, in the order of the rows. */
    private static List<String> rows() throws SQLException {
        boolean made = Objects.nonNull(
                POSTGRES.column("SELECT to_regclass('examples_ledger')").get(0));
        return made ? POSTGRES.column("SELECT token FROM examples_ledger ORDER BY entry") : List.of();
    }

    private static void soon(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition);
    }
}
