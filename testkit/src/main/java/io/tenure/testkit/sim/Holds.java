package io.tenure.testkit.sim;

import io.tenure.Lease;
import java.util.ArrayList;
import java.util.List;

/** Every lease that some node believes to hold, or believed until lately: the judge of what holders are told. */
final class Holds {
    private final Agenda agenda;
    private final Verdict verdict;
    private final List<Held> all = new ArrayList<>();

    /** A handle, and the lease at the server that it stands for. */
    private static final class Held {
        private final Node node;
        private final Lease lease;
        private final Grant grant;
        private final long tolerance;
        private boolean over;
        private int ends;

        private Held(Node node, Lease lease, Grant grant, long tolerance) {
            this.node = node;
            this.lease = lease;
            this.grant = grant;
            this.tolerance = tolerance;
        }
    }

    Holds(Agenda agenda, Verdict verdict) {
        this.agenda = agenda;
        this.verdict = verdict;
    }

    /** @param tolerance how much longer than the server a clock of that node's pace may take the lease to last */
    void add(Node node, Lease lease, Grant grant, long tolerance) {
        Held held = new Held(node, lease, grant, tolerance);
        all.add(held);
        lease.ended().thenAccept(reason -> {
            held.ends++;
            verdict.unless(
                    !lease.isHeld(), "law 12", () -> "the end of " + grant + " was told while it counted as held");
        });
    }

    /** Looks at every handle as its user could at this moment. */
    void check() {
        long now = agenda.now();
        for (int i = all.size() - 1; i >= 0; i--) {
            Held held = all.get(i);
            if (held.lease.isHeld()) {
                check(held, now);
            } else {
                held.over = true;
                if (held.ends > 0) {
                    all.set(i, all.get(all.size() - 1));
                    all.remove(all.size() - 1);
                }
            }
        }
    }

    private void check(Held held, long now) {
        Grant grant = held.grant;
        verdict.unless(!held.over, "law 8", () -> grant + " counts as held again after it did not");
        verdict.unless(
                now < grant.naturalEnd + held.tolerance,
                "law 8",
                () -> grant + " counts as held after the server let it expire at " + grant.naturalEnd / 1e6 + " ms");
        verdict.unless(grant.fate != Grant.Fate.RELEASED, "law 18", () -> grant + " counts as held after its release");
        for (Held other : all) {
            if (other != held
                    && other.grant.claim.name().equals(grant.claim.name())
                    && other.grant.fate == Grant.Fate.LIVE
                    && grant.fate == Grant.Fate.LIVE
                    && held.tolerance == 0
                    && other.tolerance == 0
                    && other.lease.isHeld()) {
                verdict.broken("law 1", "two hold at once, and nobody meddled: " + grant + ", " + other.grant);
            }
        }
    }

    /** Nobody looks through the handles of a process that is gone. */
    void forget(Node node) {
        all.removeIf(held -> held.node == node);
    }

    /** What is left when everything has been closed. */
    void checkAllEnded() {
        check();
        for (Held held : all) {
            verdict.broken("law 18", held.grant + " of " + held.node + " never told its end");
        }
    }
}
