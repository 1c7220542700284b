package io.tenure.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/**
 * The laws that every store of leases keeps, as tests. Whoever writes a store extends this class by one that says how
 * to reach a server:
 *
 * <!-- snippet: testkit/src/test/java/io/tenure/testkit/MemoryLeaseStoreLawsTest.java#javadoc -->
 * <pre>{@code
 * class MemoryLeaseStoreLawsTest extends LeaseStoreContract {
 *     @Override
 *     protected LeaseServer openServer() {
 *         return new MemoryServer(); // connect(), elapse(), shortTtl()
 *     }
 * }
 * }</pre>
 *
 * <p>What only some stores can do has a contract of its own, which asks for a {@link LeaseServer} with that capability:
 * {@link TotalLossContract} or {@link DataLossContract} for stores whose data can be lost, {@link WakeupContract} for those that push releases to
 * waiters, {@link RetentionContract} for those that forget the tokens of operations, {@link ForeignLeaseContract} for
 * those on which other programs can put leases, and {@link FenceContract} for those that guard state by the tokens they
 * mint. A store keeps the contracts of all that it does.
 *
 * <p>Tests are named after the law that they prove. None waits for real time but by {@link LeaseServer#elapse}. The tests
 * of this contract are in nested classes, and JUnit calls an extension that starts a server before all and stops it after
 * all tests of a class for each of them, too.
 */
public abstract class LeaseStoreContract {
    /** For subclasses. */
    protected LeaseStoreContract() {}

    /** The server under test; called once for each test, and closed after it. */
    protected abstract LeaseServer openServer();

    /**
     * Names, all different and all valid, that careless stores confuse or cannot keep; each has {@code unique} in it. A
     * store that refuses some of them, and says so in its documentation, overrides this and leaves those out.
     */
    protected List<String> oddNames(String unique) {
        return Stream.of(
                        "%s",
                        " %s",
                        "%s ",
                        "%s  ",
                        "  %s  ",
                        "\u00A0%s",
                        "%s.a",
                        "%s.A",
                        "%s.\u00E9",
                        "%s.e\u0301",
                        "%s.\u00DF",
                        "%s.ss",
                        "%s.\u0130",
                        "%s.i",
                        "%s.\uD83D\uDC51",
                        "%s.\uD83D\uDC52",
                        "%s.\uFF21",
                        "%s:",
                        "%s::",
                        ":%s",
                        "%s:leader",
                        "%s:fence",
                        "%s:fence:applied",
                        "%s:waiters",
                        "%s#",
                        "%s#a-1-2",
                        "%s-",
                        "%s.'",
                        "%s.\"",
                        "%s.`",
                        "%s.\\",
                        "%s.\\\\",
                        "%s.*",
                        "%s.?",
                        "%s.[a]",
                        "%s.%%",
                        "%s._",
                        "%s.$1",
                        "%s./",
                        "%s/../x",
                        "%s.,",
                        "%s.;--",
                        "%s{",
                        "%s}",
                        "%s{a}",
                        "%s.null",
                        "%s.0",
                        "%s.00")
                .map(form -> String.format(form, unique))
                .flatMap(name ->
                        name.endsWith("00") ? Stream.of(name, longest(name, "y"), longest(name, "z")) : Stream.of(name))
                .toList();
    }

    private static String longest(String name, String last) {
        String filled = NameLaws.longest(name);
        return filled.substring(0, filled.length() - 1) + last;
    }

    @Nested
    class Grants extends GrantLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class TokenMinting extends TokenLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class Takeovers extends TakeoverLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class Renewals extends RenewLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class Releases extends ReleaseLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class Lookups extends LookupLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class OddNames extends NameLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }

        @Override
        List<String> oddNames(String unique) {
            return LeaseStoreContract.this.oddNames(unique);
        }
    }

    @Nested
    class Lines extends LineLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }

    @Nested
    class Clients extends ClientLaws {
        @Override
        protected LeaseServer openServer() {
            return LeaseStoreContract.this.openServer();
        }
    }
}
