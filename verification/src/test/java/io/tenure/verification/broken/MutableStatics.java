package io.tenure.verification.broken;

import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

final class MutableStatics {
    static int changing = 1;
    static final int[] ARRAY = {1};
    static final AtomicInteger COUNTER = new AtomicInteger();
    static final HashMap<String, String> MAP = new HashMap<>();
    static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

    static final String CONSTANT = "constant";
    static final List<String> LIST = List.of();
    private static final int[] OWN = {1};

    int sum() {
        return OWN[0];
    }
}
