package io.tenure.verification.marked;

final class Marked {}
