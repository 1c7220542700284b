package io.tenure.verification;

import java.util.Map;

/**
 * What may be larger than the rules say, each with the reason why it is better so than split. An entry that is not needed
 * any more fails the build, so that the lists only hold what is true.
 */
final class Allowed {

    /** Types with more than {@link CodeRules#MOST_PUBLIC_METHODS} public methods: full class name, reason. */
    static final Map<String, String> MANY_PUBLIC_METHODS = Map.of(
            "io.tenure.internal.machine.Effects",
            "one method for each effect of the machine: the compiler then shows who forgets one",
            "io.tenure.internal.LeaseCell",
            "carries out each of the machine's effects, in the one place that knows the lease they belong to",
            "io.tenure.redis.RedisLeaseStore",
            "has a method for each verb of a store, beside the ways to open one");

    /** Files of more than {@link TextRules#MOST_LINES} lines: path from the root, reason. */
    static final Map<String, String> LONG_FILES = Map.of();

    /** What libraries bring to their users: module and dependency, reason. */
    static final Map<String, String> BROUGHT = Map.of(
            "jdbc brings io.tenure:tenure-core", "it is a store of its leases",
            "redis brings io.tenure:tenure-core", "it is a store of its leases",
            "testkit brings io.tenure:tenure-core", "it tests what is written with it",
            "testkit brings org.junit.jupiter:junit-jupiter", "its contracts are classes of tests",
            "testkit brings org.assertj:assertj-core", "its contracts say by it what they found");

    private Allowed() {}
}
