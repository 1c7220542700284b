package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent;
import io.tenure.TenureException;
import org.jspecify.annotations.Nullable;

/** Carries out what a machine wants; the meaning of each is told in {@link Effect}. */
public interface Effects {
    void sendAcquire(Effect.SendAcquire effect);

    void sendRenew(Effect.SendRenew effect);

    void sendRelease(Effect.SendRelease effect);

    void disown(Effect.Disown effect);

    void abandon(Effect.Abandon effect);

    void joinLine();

    void leaveLine(Effect.Leaving how);

    void begin(Effect.Begin effect);

    void startWork();

    void publish();

    void extend(long deadline);

    void finish(EndReason reason);

    void refreshed(@Nullable TenureException failure);

    void releaseDone(@Nullable TenureException failure);

    void saw(LeaseRecord record);

    void answered();

    void tell(TenureEvent event);

    void retire(Effect.Retire effect);
}
