package io.tenure.internal.machine;

/**
 * What an elector remembers from one candidacy to the next.
 *
 * @param attempt the number of the last attempt; 0 for none
 * @param floor the highest token seen; 0 for none
 * @param duel what became of the right to take over another incarnation of the own id
 */
public record Standing(long attempt, long floor, Duel duel) {
    /** Of a contender that has never stood. */
    public static final Standing NEW = new Standing(0, 0, Duel.OPEN);

    /** A process takes over another incarnation of its id at most once, and never after it lost to one. */
    public enum Duel {
        /** Has not met another incarnation. */
        OPEN,
        /** Has met one, and takes it over with the next attempt. */
        MET,
        /** Has had its one chance. */
        SPENT,
        /** Has met one again since, and told so. */
        TOLD
    }
}
