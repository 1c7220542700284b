package io.tenure.testkit.sim;

import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Renewal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What one node has sent and been told about its claims: the judge of what may leave a process. */
final class Claims {
    private final Node node;
    private final Verdict verdict;
    private final Map<Contender, Long> seen = new HashMap<>();
    private final Map<Contender, Set<Long>> released = new HashMap<>();

    /** The attempts that may have been granted without this node having been told. */
    private final Map<Contender, Long> unanswered = new HashMap<>();

    private record Contender(String name, String holder) {
        static Contender of(Claim claim) {
            return new Contender(claim.name(), claim.holder());
        }
    }

    Claims(Node node, Verdict verdict) {
        this.node = node;
        this.verdict = verdict;
    }

    void asking(LeaseRequest request) {
        requireUnreleased(request.claim(), "asked");
        unanswered.put(Contender.of(request.claim()), request.claim().attempt());
    }

    void renewing(Claim claim) {
        requireUnreleased(claim, "renewed");
    }

    private void requireUnreleased(Claim claim, String what) {
        Set<Long> attempts = released.get(Contender.of(claim));
        if (attempts != null && attempts.contains(claim.attempt())) {
            verdict.broken(
                    "law 18",
                    node + " " + what + " for '" + claim.name() + "' by attempt " + claim.attempt()
                            + " after it had sent its release");
        }
    }

    void releasing(ReleaseRequest request) {
        Claim claim = request.claim();
        released.computeIfAbsent(Contender.of(claim), key -> new HashSet<>(4)).add(claim.attempt());
        node.releasing(request);
    }

    /** The highest token that the contender of {@code claim} has been told. */
    long seen(Claim claim) {
        return seen.getOrDefault(Contender.of(claim), 0L);
    }

    void told(Claim claim, Acquisition answer) {
        unanswered.remove(Contender.of(claim));
        see(
                claim,
                answer instanceof Acquisition.Granted granted
                        ? granted.token()
                        : ((Acquisition.Denied) answer).current().token());
    }

    void told(Claim claim, Renewal answer) {
        if (answer instanceof Renewal.Lost lost) {
            lost.current().ifPresent(record -> see(claim, record.token()));
        }
    }

    private void see(Claim claim, long token) {
        seen.merge(Contender.of(claim), token, Math::max);
    }

    /** When nobody asks any more: what may have been granted in vain was given back. */
    void checkOver() {
        unanswered.forEach((contender, attempt) -> verdict.unless(
                released.getOrDefault(contender, Set.of()).contains(attempt),
                "law 17",
                () -> node + " never gave back '" + contender.name() + "', for which " + contender.holder()
                        + " may have been granted attempt " + attempt));
    }
}
