package io.tenure.verification.broken;

interface ManyMethods {
    void m1();

    void m2();

    void m3();

    void m4();

    void m5();

    void m6();

    void m7();

    void m8();

    void m9();

    void m10();

    void m11();

    void m12();

    void m13();

    void m14();

    void m15();

    void m16();
}
