package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.LeaderWork;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.Term;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Elections 1, 4, 5 and 8: one leader after another, each for its own reason. */
class SuccessionCasesTest extends ElectionCase {
    private static final LeaderWork UNTIL_INTERRUPTED = term -> new CountDownLatch(1).await();

    private static ElectorOptions.Builder quick(Duration ttl) {
        return ElectorOptions.ofTtl(ttl).retryEvery(Duration.ofMillis(100));
    }

    @Test
    void case01_eight_electors_that_resign_after_20_ms_lead_200_terms_one_at_a_time() {
        int terms = 200;
        AtomicInteger begun = new AtomicInteger();
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            members.add(member("elector-" + i, quick(Duration.ofSeconds(2))));
        }
        for (Member member : members) {
            member.elector.campaign(term -> {
                if (begun.incrementAndGet() > terms) {
                    new CountDownLatch(1).await();
                }
                member.write(term.token(), Ledger.BEGIN);
                Thread.sleep(20);
                member.write(term.token(), Ledger.END);
                term.resign();
            });
        }

        Awaitility.await().atMost(PATIENCE.multipliedBy(2)).until(() -> begun.get() > terms);
        members.forEach(member -> member.tenure.close());

        Ledger ledger = ledger();
        ledger.assertTermsFollowEachOther();
        assertThat(ledger.entries()).hasSize(2 * terms);
        List<Long> elected = members.stream()
                .flatMap(member -> member.events(Elected.class).stream())
                .map(Elected::token)
                .toList();
        assertThat(elected).as("each token is one elector's").doesNotHaveDuplicates();
        assertThat(elected).containsAll(ledger.tokens());
        assertThat(ledger.tokens()).hasSize(terms);
        for (Member member : members) {
            assertThat(member.events(SteppedDown.class))
                    .extracting(SteppedDown::token)
                    .isEqualTo(member.events(Elected.class).stream()
                            .map(Elected::token)
                            .toList());
        }
    }

    @Test
    void case04_work_that_throws_frees_the_lease_at_once_and_its_instance_leads_again_when_the_other_stops() {
        Duration ttl = Duration.ofSeconds(10);
        Member a = member("a", quick(ttl));
        Member b = member("b", quick(ttl));
        IOException failure = new IOException("disk full");
        AtomicInteger terms = new AtomicInteger();
        Candidacy standing = a.elector.campaign(term -> {
            if (terms.getAndIncrement() == 0) {
                soon("the other waits", () -> waiting() == 1);
                Thread.sleep(50);
                throw failure;
            }
            UNTIL_INTERRUPTED.lead(term);
        });
        long token = a.elector.token().orElseThrow();
        Candidacy other = b.elector.campaign(UNTIL_INTERRUPTED);

        soon("the failure is told", () -> !a.events(WorkFailed.class).isEmpty());
        long failed = System.nanoTime();
        soon("the other leads", b.elector::isLeader);
        // Half a second on an idle machine; a lease that was left to expire would take ten.
        assertThat(Duration.ofNanos(System.nanoTime() - failed)).isLessThan(lateSince(failed, Duration.ZERO));

        assertThat(a.events(WorkFailed.class)).extracting(WorkFailed::cause).containsExactly(failure);
        soon("it is told", () -> !a.events(SteppedDown.class).isEmpty());
        assertThat(a.events(SteppedDown.class)).containsExactly(new SteppedDown(role, token, EndReason.WORK_FAILED));
        other.close();
        soon("the first leads again", a.elector::isLeader);
        assertThat(a.elector.token().orElseThrow()).isGreaterThan(token);
        assertThat(a.events(SteppedDown.class)).hasSize(1);
        standing.close();
        assertThat(isFree()).isTrue();
    }

    @Test
    void case05_an_elector_that_never_led_closes_without_stepping_down() {
        Member leader = member("leader", quick(Duration.ofSeconds(10)));
        Member follower = member("follower", quick(Duration.ofSeconds(10)));
        leader.elector.campaign();
        Candidacy never = follower.elector.campaign();
        assertThat(follower.elector.leader()).isPresent();

        never.close();
        follower.tenure.close();

        assertThat(follower.events(SteppedDown.class)).isEmpty();
        assertThat(follower.events(Elected.class)).isEmpty();
        assertThat(leader.elector.isLeader()).isTrue();
    }

    @Test
    void case05_twenty_terms_of_mixed_ends_are_each_stepped_down_from_once_and_never_after_close() {
        Member member = member(
                "a",
                ElectorOptions.ofTtl(Duration.ofSeconds(2))
                        .renewEvery(Duration.ofMillis(200))
                        .retryEvery(Duration.ofMillis(50)));
        List<EndReason> reasons = new ArrayList<>();
        AtomicInteger terms = new AtomicInteger();
        LeaderWork work = term -> {
            int mine = terms.incrementAndGet();
            switch (mine % 5) {
                case 1 -> {
                    term.resign();
                    UNTIL_INTERRUPTED.lead(term);
                }
                case 2 -> {}
                case 3 -> throw new IllegalStateException("not today");
                case 4 -> {
                    REDIS.cli().del(leaseKey());
                    UNTIL_INTERRUPTED.lead(term);
                }
                default -> UNTIL_INTERRUPTED.lead(term);
            }
        };
        for (int round = 1; round <= 4; round++) {
            int last = 5 * round;
            Candidacy candidacy = member.elector.campaign(work);
            soon("five terms more", () -> terms.get() == last);
            candidacy.close();
            reasons.addAll(List.of(
                    EndReason.RESIGNED,
                    EndReason.WORK_RETURNED,
                    EndReason.WORK_FAILED,
                    EndReason.FORCED,
                    EndReason.CLOSED));
            int told = member.events().size();
            assertThat(member.events(SteppedDown.class))
                    .as("told when close returned")
                    .hasSize(last);
            passes(Duration.ofMillis(150));
            assertThat(member.events()).as("nothing is told after it").hasSize(told);
        }
        member.tenure.close();

        List<Elected> elected = member.events(Elected.class);
        List<SteppedDown> down = member.events(SteppedDown.class);
        assertThat(elected).hasSize(20);
        assertThat(down)
                .extracting(SteppedDown::token)
                .isEqualTo(elected.stream().map(Elected::token).toList());
        assertThat(down).extracting(SteppedDown::reason).isEqualTo(reasons);
        assertThat(member.events().stream()
                        .filter(event -> event instanceof Elected || event instanceof SteppedDown)
                        .map(Object::getClass))
                .as("in turn")
                .containsSubsequence(Elected.class, SteppedDown.class)
                .isEqualTo(elected.stream()
                        .flatMap(term -> List.<Class<?>>of(Elected.class, SteppedDown.class).stream())
                        .toList());
    }

    @Test
    void case08_a_waiter_leads_in_a_fraction_of_a_second_when_a_leader_of_a_long_ttl_closes() {
        Member a = member("a", ElectorOptions.ofTtl(Duration.ofSeconds(30)));
        Member b = member("b", ElectorOptions.ofTtl(Duration.ofSeconds(30)));
        a.elector.campaign(UNTIL_INTERRUPTED);
        long token = a.elector.token().orElseThrow();
        b.elector.campaign(UNTIL_INTERRUPTED);
        soon("the other waits", () -> waiting() == 1);
        soon("it listens", () -> !REDIS.cli().pubsubChannels("tenure:wake:*").isEmpty());
        // It looks once more when it has begun to listen, which must not be what finds the lease free.
        passes(Duration.ofSeconds(2));

        long before = System.nanoTime();
        a.tenure.close();
        soon("the other leads", b.elector::isLeader);

        // Half a second on an idle machine; without the wake-up it would be most of the ttl.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(lateSince(before, Duration.ZERO));
        assertThat(b.elector.token().orElseThrow()).isGreaterThan(token);
    }

    @Test
    void case08_with_two_others_waiting_none_of_50_resignations_is_followed_by_the_one_that_resigned() {
        List<Member> members = new ArrayList<>();
        for (String who : List.of("a", "b", "c")) {
            Member member = member(who, quick(Duration.ofSeconds(30)));
            members.add(member);
            member.elector.campaign(term -> {
                member.write(term.token(), Ledger.BEGIN);
                UNTIL_INTERRUPTED.lead(term);
            });
        }

        for (int i = 1; i <= 50; i++) {
            int terms = i;
            soon(
                    "somebody leads and two wait",
                    () -> waiting() == 2 && ledger().tokens().size() == terms);
            Member leader = members.stream()
                    .filter(member -> member.elector.isLeader())
                    .findFirst()
                    .orElseThrow();
            Term term = leader.elector.term().orElseThrow();
            term.resign();
        }
        soon("the last one leads", () -> ledger().tokens().size() == 51);

        List<Ledger.Entry> begun = ledger().entries();
        ledger().assertOneAtATime();
        for (int i = 1; i < begun.size(); i++) {
            assertThat(begun.get(i).who())
                    .as("leader after resignation %d", i)
                    .isNotEqualTo(begun.get(i - 1).who());
        }
    }
}
