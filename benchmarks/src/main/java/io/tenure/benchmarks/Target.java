package io.tenure.benchmarks;

/** That {@code subject} does at least {@code least} times as much in the same time as {@code against}. */
public record Target(String subject, String against, double least) {}
