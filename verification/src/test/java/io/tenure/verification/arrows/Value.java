package io.tenure.verification.arrows;

/** What every part may know. */
public final class Value {}
