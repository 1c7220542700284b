package io.tenure.verification.broken;

final class Printing {
    void out() {
        System.out.println("out");
    }

    void err() {
        System.err.println("err");
    }

    void trace(IllegalStateException e) {
        e.printStackTrace();
    }
}
