package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import org.junit.jupiter.api.Test;

/** The laws of electors that a store refuses for good: thrown where somebody waits for it, an event where nobody does. */
class RefusedElectorLawsTest extends FaceLaws {
    private static final StoreException TROUBLE = StoreException.passing("connection reset");
    private static final StoreException REFUSAL = StoreException.permanent("no permission: grant it");

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    @Test
    void law27_a_first_attempt_that_is_refused_for_good_is_thrown_by_campaign_and_by_run() {
        Instance instance = instance();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(REFUSAL));
        Elector elector = instance.elector(name(), election());

        assertThatThrownBy(elector::campaign).isSameAs(REFUSAL);
        assertThat(Deed.of(() -> {
                            elector.run(new Leading());
                            return null;
                        })
                        .failure())
                .isSameAs(REFUSAL);
        elapse(ttl());
        assertThat(instance.wire.count(Verb.ACQUIRE))
                .as("nothing goes on in the background")
                .isEqualTo(2);
        instance.wire.heal();
        elector.campaign();
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void law27_a_refusal_that_comes_later_is_one_event_per_change_and_heals() {
        String role = name();
        Elector leader = instance().elector(role, election());
        Candidacy leading = leader.campaign();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        elector.campaign();
        instance.wire.losePushes();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(REFUSAL));

        elapse(ttl().multipliedBy(10));
        assertThat(instance.seen.of(AttemptFailed.class))
                .extracting(AttemptFailed::cause)
                .containsExactly(REFUSAL);
        StoreException other = StoreException.permanent("read-only replica: use the primary");
        instance.wire.always(Verb.ACQUIRE, Fault.fail(other));
        elapse(ttl().multipliedBy(5));
        assertThat(instance.seen.of(AttemptFailed.class))
                .extracting(AttemptFailed::cause)
                .containsExactly(REFUSAL, other);
        leading.close();
        instance.wire.heal();

        within(ttl().multipliedBy(2), "leads once the cause is gone", elector::isLeader);
    }

    @Test
    void law27_a_refusal_after_trouble_that_passed_does_not_end_a_candidacy_in_the_background() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        instance.wire.next(Verb.ACQUIRE, Fault.fail(TROUBLE), Fault.fail(REFUSAL), Fault.fail(REFUSAL));

        elector.campaign();
        within(ttl().multipliedBy(5), "leads once the cause is gone", elector::isLeader);

        assertThat(instance.seen.of(AttemptFailed.class))
                .extracting(AttemptFailed::cause)
                .containsExactly(TROUBLE, REFUSAL);
    }
}
