package io.tenure.testkit.sim;

import java.util.List;
import java.util.SplittableRandom;

/** Every choice of a history, drawn from its seed. */
final class Chance {
    private final SplittableRandom random;

    Chance(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean of(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** From {@code least} to {@code most}, both included. */
    long between(long least, long most) {
        return least >= most ? least : random.nextLong(least, most + 1);
    }

    int index(int size) {
        return random.nextInt(size);
    }

    <T> T pick(List<T> among) {
        return among.get(random.nextInt(among.size()));
    }
}
