package io.tenure.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * The end of a lease.
 *
 * @param claim the claim; with token 0 it stands for whatever token this very attempt was granted
 * @param holdFor keep the name taken for this long from now; zero to free it at once
 * @param mode what becomes of the token
 */
public record ReleaseRequest(Claim claim, Duration holdFor, ReleaseMode mode) {
    public ReleaseRequest {
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(holdFor, "holdFor");
        Objects.requireNonNull(mode, "mode");
    }
}
