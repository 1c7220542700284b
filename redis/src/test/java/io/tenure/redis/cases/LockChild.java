package io.tenure.redis.cases;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TokenSource;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Scanner;

/**
 * A process that uses leases. Arguments: the server, ttl and retention in milliseconds; 0 for tokens from the counter,
 * which are kept for ever. Orders: {@code hold NAME} and {@code lead NAME}, a lock or an election, until its end;
 * {@code write KEY VALUE} by the token it got last, once; {@code cycle SEED NAME...}, one after another, at random, for
 * ever.
 */
final class LockChild {
    private final RedisLeaseStore store;
    private final Tenure tenure;
    private final Duration ttl;
    private final LockOptions options;
    private RedisFence fence;
    private long token;

    private LockChild(RedisLeaseStore store, Duration ttl) {
        this.store = store;
        this.tenure = Tenure.over(store).open();
        this.ttl = ttl;
        this.options = LockOptions.ofTtl(ttl).renewed().build();
    }

    public static void main(String[] args) throws InterruptedException {
        long retention = Long.parseLong(args[2]);
        RedisStoreOptions.Builder how = RedisStoreOptions.builder();
        if (retention == 0) {
            how.tokens(TokenSource.COUNTER);
        } else {
            how.retention(Duration.ofMillis(retention));
        }
        LockChild child = new LockChild(
                RedisLeaseStore.connect(args[0], how.build()), Duration.ofMillis(Long.parseLong(args[1])));
        try (Scanner orders = new Scanner(System.in)) {
            System.out.println("ready");
            while (orders.hasNextLine()) {
                child.obey(orders.nextLine().split(" "));
            }
        }
        child.tenure.close();
    }

    private void obey(String... words) throws InterruptedException {
        switch (words[0]) {
            case "hold" ->
                got("holds", words[1], tenure.lock(words[1], options).acquire().token());
            case "lead" -> {
                Elector elector =
                        tenure.elector(words[1], ElectorOptions.ofTtl(ttl).build());
                elector.campaign();
                got("leads", words[1], elector.token().orElseThrow());
            }
            case "write" -> write(words[1], words[2]);
            default -> {
                Thread cycling = new Thread(() -> cycle(words));
                cycling.setDaemon(true);
                cycling.start();
            }
        }
    }

    private void got(String how, String name, long granted) {
        fence = store.fence(name);
        token = granted;
        System.out.println(how + " " + granted);
    }

    /** By the token alone, whatever became of the lease: as one would that was stopped just before it wrote. */
    private void write(String key, String value) throws InterruptedException {
        while (true) {
            try {
                fence.set(token, key, value);
                System.out.println("wrote " + value);
                return;
            } catch (StaleTokenException e) {
                System.out.println("refused " + e.token() + " " + e.mark());
                return;
            } catch (StoreException e) {
                Thread.sleep(5); // not connected again yet
            }
        }
    }

    private void cycle(String... words) {
        Random random = new Random(Long.parseLong(words[1]));
        while (true) {
            LeaseLock lock = tenure.lock(words[2 + random.nextInt(words.length - 2)], options);
            try {
                Optional<HeldLock> held = lock.tryAcquire(Duration.ofMillis(20));
                held.ifPresent(got -> {
                    System.out.println("cycle " + got.token());
                    got.close();
                });
            } catch (StoreException e) {
                continue; // its connection was killed
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
