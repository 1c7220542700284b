package io.tenure.verification.broken;

record ManyComponents(
        int c1,
        int c2,
        int c3,
        int c4,
        int c5,
        int c6,
        int c7,
        int c8,
        int c9,
        int c10,
        int c11,
        int c12,
        int c13,
        int c14,
        int c15,
        int c16) {}
