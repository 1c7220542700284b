package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What all laws share: a server, clients of it that are closed after each test, and names that no other test uses.
 *
 * @param <S> what the server has to offer
 */
public abstract class StoreLaws<S extends LeaseServer> {
    /** A token so high that no sane clock has reached it: what is minted above it was minted from memory. */
    static final long FAR_ABOVE_THE_CLOCK = 1L << 52;

    private final List<LeaseStore> clients = new ArrayList<>();
    private final String id = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    private final AtomicInteger serial = new AtomicInteger();
    private @Nullable S server;
    private @Nullable LeaseStore observer;

    StoreLaws() {}

    /** The server under test; called once for each test, and closed after it. */
    protected abstract S openServer();

    @BeforeEach
    void connectToTheServer() {
        server = openServer();
    }

    @AfterEach
    void closeTheClients() {
        clients.forEach(LeaseStore::close);
        if (server != null) {
            server.close();
        }
    }

    final S server() {
        return Objects.requireNonNull(server, "server");
    }

    /** Text that no other test has used; with letters, digits and blanks no store can object to. */
    final String unique() {
        return "law-" + id + "." + serial.incrementAndGet();
    }

    /** A name that no other test has used, in its canonical form. */
    final String name() {
        return canonical(unique());
    }

    final String canonical(String name) {
        return observer().canonicalName(name);
    }

    /** A client for looking only. */
    final LeaseStore observer() {
        if (observer == null) {
            observer = client();
        }
        return observer;
    }

    final LeaseStore client() {
        return closing(server().connect());
    }

    final LeaseStore closing(LeaseStore client) {
        clients.add(client);
        return client;
    }

    /** A contender of a client and an incarnation of its own, which no other test has: pushes go by it. */
    final Contender contender(String holder) {
        return contender(holder, client());
    }

    final Contender contender(String holder, LeaseStore client) {
        return new Contender(client, holder, "i" + id + serial.incrementAndGet());
    }

    final Duration shortTtl() {
        return server().shortTtl();
    }

    /** Who has {@code name}. */
    final Optional<LeaseRecord> found(String name) {
        return Answers.of(observer().find(name));
    }

    /** Lets leases of {@code ttl} expire. */
    final void outlast(Duration ttl) {
        server().elapse(ttl.plusMillis(2));
    }

    final void assertHeld(Claim claim) {
        assertThat(found(claim.name())).hasValueSatisfying(record -> {
            assertThat(record.holder()).isEqualTo(claim.holder());
            assertThat(record.incarnation()).isEqualTo(claim.incarnation());
            assertThat(record.attempt()).isEqualTo(claim.attempt());
            assertThat(record.token()).isEqualTo(claim.token());
        });
    }
}
