package io.tenure.tool.demo;

import java.util.Locale;

/** What the demo promises to check. One that was not checked counts as failed. */
enum Claim {
    ONE_LEADER("One of three is elected, and the others know whom they follow"),
    WRITES("What a leader writes through the fence is stored"),
    STOPPED("A frozen leader is replaced once its lease has expired, not before"),
    KNOWS("When it wakes, its very first look says that it does not lead"),
    REFUSED("Its late writes with the old token are refused"),
    UNCHANGED("What the new leader had stored is unchanged"),
    RESIGNED("A leader that resigns is replaced %s, and cannot write either"),
    KILLED("A killed leader is replaced once its lease has expired, not before"),
    HARMLESS("No token but the present leader's can write"),
    RISING("Every token is greater than those before it"),
    LOCK("A lock goes to the process that waits for it, %s"),
    TIDY("Contenders that close leave no lease behind");

    private final String text;

    Claim(String text) {
        this.text = text;
    }

    /** What is promised on a store of that pace. */
    String text(Pace pace) {
        return String.format(Locale.ROOT, text, this == LOCK ? pace.how() : pace.soon());
    }
}
