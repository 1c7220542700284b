package io.tenure.verification.broken;

import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.function.LongSupplier;

final class WallClock {
    final LongSupplier reference = System::currentTimeMillis;

    long millis() {
        return System.currentTimeMillis();
    }

    Instant instant() {
        return Instant.now();
    }

    Clock clock() {
        return Clock.systemUTC();
    }

    Date date() {
        return new Date();
    }

    Date dateOfAKnownTime() {
        return new Date(0);
    }

    long monotonic() {
        return System.nanoTime();
    }
}
