package io.tenure.redis.cases;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.Term;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that stands for election, writes into the {@link Ledger} while it leads, and says what it sees. Arguments: the
 * server, the role, the holder's id, and the ttl in milliseconds.
 *
 * <p>It says {@code ready}; {@code elected TOKEN}, {@code following TOKEN}, {@code stepped-down TOKEN REASON}, {@code
 * duplicate}; {@code believes TOKEN NANOS} and {@code doubts TOKEN NANOS}, the first and the last moment at which it took
 * itself for the leader; and {@code wrote TOKEN} or {@code refused-write TOKEN}, and {@code refused TOKEN} when its
 * term's own writes are. Orders: {@code compute}, answered by {@code computed TOKEN}, and {@code write KEY VALUE} by the token computed with. It ends with its input.
 */
final class Contender {
    private static final long GLANCE_NANOS = 1_000_000;
    private static final Duration PACE = Duration.ofMillis(10);

    private final String holder;
    private final RedisFence fence;
    private final Elector elector;

    private Contender(String holder, RedisFence fence, Elector elector) {
        this.holder = holder;
        this.fence = fence;
        this.elector = elector;
    }

    public static void main(String[] args) throws InterruptedException {
        RedisLeaseStore store = RedisLeaseStore.connect(args[0]);
        ElectorOptions options =
                ElectorOptions.ofTtl(Duration.ofMillis(Long.parseLong(args[3]))).build();
        try (Tenure tenure =
                Tenure.over(store).holder(args[2]).observer(Contender::tell).open()) {
            warmUp(tenure, store, args[1] + ":warm-up-of-" + args[2], args[2]);
            Contender contender = new Contender(args[2], store.fence(args[1]), tenure.elector(args[1], options));
            System.out.println("ready");
            contender.stand();
        }
    }

    /** So that classes are loaded and connections used before anybody measures. */
    private static void warmUp(Tenure tenure, RedisLeaseStore store, String name, String holder)
            throws InterruptedException {
        CountDownLatch led = new CountDownLatch(1);
        Contender contender = new Contender(holder, store.fence(name), tenure.elector(name));
        Candidacy candidacy = contender.elector.campaign(term -> contender.lead(term, led));
        led.await();
        candidacy.close();
    }

    private void stand() {
        Thread watcher = new Thread(this::watch, "watcher");
        watcher.setDaemon(true);
        watcher.start();
        elector.campaign(term -> lead(term, new CountDownLatch(1)));
        try (Scanner orders = new Scanner(System.in)) {
            long token = 0;
            while (orders.hasNextLine()) {
                String[] words = orders.nextLine().split(" ");
                if (words[0].equals("compute")) {
                    token = elector.token().orElseThrow();
                    System.out.println("computed " + token);
                } else {
                    write(token, words[1], words[2]);
                }
            }
        }
    }

    private void lead(Term term, CountDownLatch begun) throws InterruptedException {
        try {
            Ledger.write(fence, term.token(), holder, Ledger.BEGIN);
            begun.countDown();
            while (true) {
                Thread.sleep(PACE.toMillis());
                Ledger.write(fence, term.token(), holder, Ledger.TICK);
            }
        } catch (StaleTokenException e) {
            System.out.println("refused " + term.token());
            new CountDownLatch(1).await(); // the term's end interrupts it
        }
    }

    private void write(long token, String key, String value) {
        try {
            fence.set(token, key, value);
            System.out.println("wrote " + token);
        } catch (StaleTokenException e) {
            System.out.println("refused-write " + token);
        }
    }

    /** Takes note of what this process believes of itself, by a clock that all processes of a machine share. */
    private void watch() {
        OptionalLong believed = OptionalLong.empty();
        long last = 0;
        while (true) {
            long now = System.nanoTime();
            OptionalLong token = elector.token();
            if (!token.equals(believed)) {
                if (believed.isPresent()) {
                    System.out.println("doubts " + believed.getAsLong() + " " + last);
                }
                if (token.isPresent()) {
                    System.out.println("believes " + token.getAsLong() + " " + now);
                }
                believed = token;
            }
            last = now;
            LockSupport.parkNanos(GLANCE_NANOS);
        }
    }

    private static void tell(TenureEvent event) {
        if (event instanceof TenureEvent.Named named && named.name().contains(":warm-up-of-")) {
            return;
        }
        if (event instanceof TenureEvent.Elected elected) {
            System.out.println("elected " + elected.token());
        } else if (event instanceof TenureEvent.SteppedDown down) {
            System.out.println("stepped-down " + down.token() + " " + down.reason());
        } else if (event instanceof TenureEvent.Following following) {
            System.out.println("following " + following.leader().token());
        } else if (event instanceof TenureEvent.DuplicateHolder) {
            System.out.println("duplicate");
        } else {
            System.out.println("event " + event);
        }
    }
}
