package io.tenure.testkit.sim;

/** Carries messages between nodes and server, each with a delay of its own: so they are reordered, too. */
final class Network {
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

  /** From now on nothing is lost, repeated or slow; what is under way still arrives whenever it does. */
  void calm() {
    calm = true;
  }

  /** Has {@code arrival} happen once, twice or never, each time after a delay of its own. */
  void carry(Node end, Runnable arrival) {
    if (!calm && (end.isCutOff() || chance.of(conditions.loss()))) {
      return;
    }
    agenda.in(delay(), arrival);
    if (!calm && chance.of(conditions.duplication())) {
      agenda.in(delay(), arrival);
    }
  }

  private long delay() {
    if (!calm && (agenda.now() < slowUntil || chance.of(conditions.lag()))) {
      return chance.between(1, conditions.longDelay());
    }
    return chance.between(1, conditions.delay());
  }
}
