package io.tenure.testkit;

import io.tenure.spi.Claim;
import java.util.List;
import java.util.Locale;

/** Claims that differ from a true one in a single part. */
final class Forgeries {
    private Forgeries() {}

    static List<Claim> of(Claim held) {
        return List.of(
                new Claim(held.name(), held.holder() + "x", held.incarnation(), held.attempt(), held.token()),
                new Claim(
                        held.name(),
                        held.holder().toUpperCase(Locale.ROOT),
                        held.incarnation(),
                        held.attempt(),
                        held.token()),
                new Claim(held.name(), held.holder(), held.incarnation() + "x", held.attempt(), held.token()),
                new Claim(held.name(), held.holder(), held.incarnation(), held.attempt() + 1, held.token()),
                new Claim(held.name(), held.holder(), held.incarnation(), held.attempt(), held.token() + 1),
                new Claim(held.name(), held.holder(), held.incarnation(), held.attempt(), held.token() + 1_000));
    }
}
