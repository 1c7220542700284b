package io.tenure.testkit.sim;

/** A name that is contended for. */
record Subject(int index, String name, Kind kind) {
    /** What for. */
    enum Kind {
        ROLE,
        LOCK
    }

    /** Roles have the numbers from 0, locks those from here on. */
    static final int FIRST_LOCK = 10;

    static Subject role(int number) {
        return new Subject(number, text(number), Kind.ROLE);
    }

    static Subject lock(int number) {
        return new Subject(FIRST_LOCK + number, text(FIRST_LOCK + number), Kind.LOCK);
    }

    static String text(int index) {
        return index < FIRST_LOCK ? "role-" + index : "job-" + (index - FIRST_LOCK);
    }

    /** The number of {@code name}; -1 for a name of no subject. */
    static int indexOf(String name) {
        if (name.startsWith("role-")) {
            return name.charAt(5) - '0';
        }
        return name.startsWith("job-") ? FIRST_LOCK + name.charAt(4) - '0' : -1;
    }
}
