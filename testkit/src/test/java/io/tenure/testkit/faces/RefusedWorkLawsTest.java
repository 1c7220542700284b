package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.LeaderWork;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.TokenRegressed;
import io.tenure.TenureEvent.WorkFailed;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What leaders see whose writes the store's own fence refuses, since somebody meddled with its data. */
class RefusedWorkLawsTest extends FaceLaws {
    private final HandMovedStage hand = new HandMovedStage();
    private final String role = name();
    private final Semaphore write = new Semaphore(0);
    private final LeaderWork writing = term -> {
        while (true) {
            write.acquire();
            hand.server().fence(role).run(term.token(), () -> {});
        }
    };

    @Override
    protected Stage openStage() {
        return hand;
    }

    @Test
    void law25_a_leader_whose_counter_and_mark_were_deleted_loses_its_term_and_leads_again_without_a_pause() {
        Instance instance = leader();
        long token = elected(instance, 0);
        hand.server().data().loseCounter(role);
        hand.server().data().loseMark(role);

        long before = hand.nanos();
        write.release();
        soon("leads again", () -> instance.seen.of(Elected.class).size() == 2);

        assertThat(hand.nanos()).isEqualTo(before);
        assertEnded(instance, token, EndReason.FORCED);
        assertThat(elected(instance, 1)).isGreaterThan(token);
        assertThat(instance.seen.has(TokenRegressed.class)).isTrue();
    }

    @Test
    void law25_a_leader_whose_store_lost_everything_loses_its_term_and_leads_again_without_a_pause() {
        Instance instance = leader();
        long token = elected(instance, 0);
        hand.server().data().loseEverything();

        long before = hand.nanos();
        write.release();
        soon("leads again", () -> instance.seen.of(Elected.class).size() == 2);

        assertThat(hand.nanos()).isEqualTo(before);
        assertEnded(instance, token, EndReason.FORCED);
        assertThat(elected(instance, 1)).isGreaterThan(token);
    }

    @Test
    void law25_a_leader_whose_token_was_burnt_loses_its_term_as_taken_at_its_next_write_and_stands_again_at_once() {
        Instance instance = leader();
        long token = elected(instance, 0);
        evict(role);

        long before = hand.nanos();
        write.release();
        soon("leads again", () -> instance.seen.of(Elected.class).size() == 2);

        assertThat(hand.nanos()).isEqualTo(before);
        assertEnded(instance, token, EndReason.TAKEN);
    }

    private Instance leader() {
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        elector.campaign(writing);
        soon("leads", () -> instance.seen.has(Elected.class));
        return instance;
    }

    private static long elected(Instance instance, int term) {
        return instance.seen.of(Elected.class).get(term).token();
    }

    private void assertEnded(Instance instance, long token, EndReason reason) {
        assertThat(instance.seen.of(LeaseLost.class)).containsExactly(new LeaseLost(role, token, reason));
        assertThat(instance.seen.of(SteppedDown.class)).containsExactly(new SteppedDown(role, token, reason));
        assertThat(instance.seen.has(WorkFailed.class)).isFalse();
    }
}
