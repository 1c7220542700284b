package io.tenure.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.TenureEvent;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Wakeups.Registration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresWakeupsTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private final List<String> left = new CopyOnWriteArrayList<>();
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Boolean>> leaving = new CopyOnWriteArrayList<>();
    private DataSource source;
    private PostgresWakeups wakeups;

    @BeforeEach
    void open() throws SQLException {
        source = POSTGRES.dataSource();
        wakeups = new PostgresWakeups(source, source, this::leave, events::add);
    }

    @AfterEach
    void close() {
        leaving.forEach(each -> each.complete(true));
        wakeups.close();
    }

    private CompletionStage<Boolean> leave(String name, String waiter) {
        left.add(waiter + " " + name);
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        leaving.add(done);
        return done;
    }

    @Test
    void law20_everybody_is_told_to_look_when_listening_begins_a_few_at_a_time() {
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 25; i++) {
            wakeups.await("name" + i, "me", wakes::add);
        }

        await().until(() -> wakeups.isLive() && wakes.size() >= 25);

        assertThat(wakes).allMatch(after -> after.compareTo(Duration.ofMillis(2)) <= 0);
        assertThat(wakes).filteredOn(Duration.ZERO::equals).hasSizeBetween(10, 25);
    }

    @Test
    void law21_whoever_is_told_is_told_when_to_look() throws SQLException {
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        wakeups.await("a name with blanks", "me", wakes::add);
        List<Duration> others = new CopyOnWriteArrayList<>();
        wakeups.await("a name with blanks", "another", others::add);
        await().until(() -> wakeups.isLive() && !others.isEmpty());
        others.clear();

        say("50 me a name with blanks");

        await().until(() -> wakes.contains(Duration.ofMillis(50)));
        assertThat(others).isEmpty();
    }

    @Test
    void law21_a_word_that_no_statement_of_ours_says_does_nothing() throws SQLException {
        List<Duration> wakes = listened();

        for (String word : List.of("", "x", "-1 me name", "1", "1 me", "99999999999 me name", "1  name")) {
            say(word);
        }
        say("7 me name");

        await().until(() -> wakes.contains(Duration.ofMillis(7)));
        assertThat(wakes).hasSize(1);
        assertThat(left).isEmpty();
        assertThat(wakeups.isLive()).isTrue();
    }

    @Test
    void law21_a_push_that_nobody_waits_for_any_more_is_passed_on_once_at_a_time() throws SQLException {
        listened();

        say("0 gone name");
        say("0 gone name");
        say("0 gone other");
        await().until(() -> left.equals(List.of("gone name", "gone other")));
        leaving.forEach(each -> each.complete(true));
        say("0 gone name");

        await().until(() -> left.equals(List.of("gone name", "gone other", "gone name")));
    }

    @Test
    void law21_only_the_last_interest_of_a_waiter_leaves_the_line_and_once() {
        Registration one = wakeups.await("name", "me", after -> {});
        Registration other = wakeups.await("name", "me", after -> {});

        one.close();
        one.close();
        assertThat(left).isEmpty();
        other.close();
        other.close();
        assertThat(left).containsExactly("me name");
    }

    @Test
    void law21_whoever_was_served_leaves_no_line() {
        Registration registration = wakeups.await("name", "me", after -> {});

        registration.served();
        registration.close();

        assertThat(left).isEmpty();
    }

    @Test
    void law20_a_waiter_that_fails_to_wake_stops_no_other_and_is_told() throws SQLException {
        wakeups.await("bad", "me", after -> {
            throw new IllegalStateException("full");
        });
        List<Duration> wakes = listened();

        say("0 me bad");
        say("3 me name");

        await().until(() -> wakes.contains(Duration.ofMillis(3)));
        assertThat(events)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(event ->
                        assertThat(((TenureEvent.StoreWarning) event).message()).contains("'bad'", "full"));
    }

    @Test
    void law19_closing_waits_for_those_who_leave_but_not_for_long() {
        List<Registration> waiting = new ArrayList<>();
        waiting.add(wakeups.await("name", "me", after -> {}));
        await().until(wakeups::isLive);
        waiting.forEach(Registration::close);

        wakeups.close();

        assertThat(left).containsExactly("me name");
        assertThat(leaving).singleElement().satisfies(each -> assertThat(each).isNotDone());
        assertThat(wakeups.isLive()).isFalse();
        assertThat(wakeups.channel()).isEmpty();
    }

    @Test
    void law20_whom_nobody_can_tell_has_no_channel() {
        assertThat(wakeups.channel()).isEmpty();
        assertThat(wakeups.isLive()).isFalse();
        wakeups.await("name", "me", after -> {});
        assertThat(wakeups.channel()).isPresent();
        try (PostgresWakeups deaf =
                new PostgresWakeups(new ChangingConnections(source).dataSource(), source, this::leave, events::add)) {
            deaf.await("name", "me", after -> {});

            await().until(() -> deaf.channel().isEmpty());

            assertThat(events)
                    .singleElement()
                    .satisfies(event -> assertThat(((TenureEvent.StoreWarning) event).message())
                            .contains("polling only", "listenOn"));
        }
    }

    @Test
    void law20_on_another_database_nobody_listens_and_nobody_is_told() throws Exception {
        DataSource h2 = H2.dataSource();
        try (PostgresWakeups elsewhere = new PostgresWakeups(h2, h2, this::leave, events::add)) {
            elsewhere.await("name", "me", after -> {});
            await().until(() -> elsewhere.channel().isEmpty());

            elsewhere.await("other", "me", after -> {}).close();

            assertThat(elsewhere.isLive()).isFalse();
            assertThat(events).isEmpty();
            assertThat(left).isEmpty();
        }
    }

    private List<Duration> listened() {
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        wakeups.await("name", "me", wakes::add);
        await().until(() -> wakeups.isLive() && wakes.contains(Duration.ZERO));
        wakes.clear();
        return wakes;
    }

    private void say(String word) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, wakeups.channel().orElseThrow());
            statement.setString(2, word);
            statement.execute();
        }
    }
}
