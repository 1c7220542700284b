package io.tenure.redis.cases;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Scanner;

/**
 * A process that uses locks. Arguments: the server, ttl and retention in milliseconds. Orders: {@code hold NAME} until
 * its end; {@code cycle SEED NAME...}, one after another, at random, for ever.
 */
final class LockChild {
    private LockChild() {}

    public static void main(String[] args) throws InterruptedException {
        RedisStoreOptions store = RedisStoreOptions.builder()
                .retention(Duration.ofMillis(Long.parseLong(args[2])))
                .build();
        LockOptions options = LockOptions.ofTtl(Duration.ofMillis(Long.parseLong(args[1])))
                .renewed()
                .build();
        try (Tenure tenure =
                        Tenure.over(RedisLeaseStore.connect(args[0], store)).open();
                Scanner orders = new Scanner(System.in)) {
            System.out.println("ready");
            while (orders.hasNextLine()) {
                String[] words = orders.nextLine().split(" ");
                if (words[0].equals("hold")) {
                    HeldLock held = tenure.lock(words[1], options).acquire();
                    System.out.println("holds " + held.token());
                } else {
                    Thread cycling = new Thread(() -> cycle(tenure, options, words));
                    cycling.setDaemon(true);
                    cycling.start();
                }
            }
        }
    }

    private static void cycle(Tenure tenure, LockOptions options, String... words) {
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
