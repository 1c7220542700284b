package io.tenure.jdbc.postgres;

/** Whoever a {@link PostgresListener} listens for. Called on its thread, which must not be blocked for long. */
interface Ears {
    /** Notifications arrive from now on; earlier ones may have been missed. */
    void listening();

    /** One has arrived. */
    void heard(String payload);

    /** Notifications will not arrive, for the time being or for good; said once. */
    void deaf(String reason);
}
