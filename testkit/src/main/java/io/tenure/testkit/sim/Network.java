package io.tenure.testkit.sim;

/** Carries messages between nodes and server, each with a delay of its own: so they are reordered, too. */
final class Network {
    /** Well below what any renewal has. */
    private static final long CALM_DELAY = 2 * Conditions.MILLI;

    private final Agenda agenda;
    private final Chance chance;
    private final Conditions conditions;
    private long slowUntil;
    private boolean calm;

    Network(Agenda agenda, Chance chance, Conditions conditions) {
        this.agenda = agenda;
        this.chance = chance;
        this.conditions = conditions;
    }

    /** Every message takes long until {@code span} from now. */
    void slowFor(long span) {
        slowUntil = agenda.now() + span;
    }

    /** From now on nothing is lost, repeated, slow or reordered; what is under way still arrives whenever it does. */
    void calm() {
        calm = true;
    }

    /** Has {@code arrival} happen once or twice, each time after a delay of its own; false when it is lost. */
    boolean carry(Node end, Runnable arrival) {
        if (!calm && (end.isCutOff() || chance.of(conditions.loss()))) {
            return false;
        }
        agenda.in(delay(), arrival);
        if (!calm && chance.of(conditions.duplication())) {
            agenda.in(delay(), arrival);
        }
        return true;
    }

    private long delay() {
        if (calm) {
            return Math.min(conditions.delay(), CALM_DELAY);
        }
        if (agenda.now() < slowUntil || chance.of(conditions.lag())) {
            return chance.between(1, conditions.longDelay());
        }
        return chance.between(1, conditions.delay());
    }
}
