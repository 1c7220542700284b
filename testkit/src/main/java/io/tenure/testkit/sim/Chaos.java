package io.tenure.testkit.sim;

import io.tenure.testkit.sim.Trace.What;
import java.util.List;

/** Lets one thing after another go wrong, until the world is calm. */
final class Chaos {
    private final World world;
    private final Chance chance;
    private final Conditions conditions;

    Chaos(World world) {
        this.world = world;
        this.chance = world.chance();
        this.conditions = world.conditions();
    }

    void begin() {
        world.agenda().in(chance.between(conditions.ttl() / 10, conditions.pace()), () -> {
            if (!world.isCalm()) {
                cause(chance.pick(conditions.faults()));
                begin();
            }
        });
    }

    private void cause(Conditions.Fault fault) {
        long ttl = conditions.ttl();
        Node node = world.inSlot(chance.index(conditions.nodes()));
        Subject subject = chance.pick(world.subjects());
        switch (fault) {
            case PAUSE -> {
                if (!node.isStopped() && node.state() != Node.State.CRASHED) {
                    node.stop();
                    world.agenda().in(chance.between(ttl / 20, 3 * ttl), node::resume);
                }
            }
            case CRASH -> {
                if (node.state() == Node.State.ALIVE) {
                    node.crash();
                    world.startLater(node.slot, chance.between(1, 2 * ttl));
                }
            }
            case CLOSE -> {
                if (node.state() == Node.State.ALIVE) {
                    node.close();
                    world.startLater(node.slot, chance.of(0.3) ? 1 : chance.between(1, 2 * ttl));
                }
            }
            case CUT_OFF -> {
                if (!node.isCutOff()) {
                    node.cutOff(chance.between(ttl / 10, 2 * ttl));
                }
            }
            case OUTAGE -> {
                world.server().become(chance.of(0.5) ? Server.Health.SILENT : Server.Health.REFUSING);
                world.note(null, What.SERVER_DOWN, -1, 0);
                world.agenda().in(chance.between(ttl / 20, 2 * ttl), () -> {
                    world.server().become(Server.Health.UP);
                    world.note(null, What.SERVER_UP, -1, 0);
                });
            }
            case SLOWNESS -> {
                world.network().slowFor(chance.between(ttl / 10, ttl));
                world.note(null, What.SLOW, -1, 0);
            }
            case LOSE_DATA -> world.server().loseEverything();
            case LOSE_COUNTER -> world.server().loseCounter(subject.name());
            case LOSE_MARK -> {
                world.server().loseMark(subject.name());
                if (chance.of(0.3)) {
                    world.server().loseCounter(subject.name());
                }
            }
            case EVICT ->
                world.server()
                        .look(subject.name())
                        .ifPresent(seen -> world.agenda()
                                .in(
                                        chance.of(0.5) ? 1 : chance.between(1, ttl),
                                        () -> world.server().evict(seen)));
            case RESIGN -> resign(List.of(node, world.inSlot(chance.index(conditions.nodes()))));
        }
    }

    private void resign(List<Node> nodes) {
        for (Node each : nodes) {
            each.deliver(() ->
                    each.roles().stream().filter(role -> role.leading() != 0).forEach(Role::resign));
        }
    }
}
