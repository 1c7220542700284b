package io.tenure.spi;

/** What a release does to the token. */
public enum ReleaseMode {
    /** Leaves counter and mark as they are. */
    PLAIN,
    /**
     * Mints one more token, so that writes with the released one are refused at once; also when the lease has run out
     * already, as long as its token is still the highest.
     */
    BURN
}
