package io.tenure.examples.across;

import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.examples.LocalPostgres;
import io.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Scanner;

/**
 * A process that does what it is told with a token that it got before. Arguments: the crossing, the Redis, the PostgreSQL,
 * and the role. Orders: {@code campaign} and {@code lock} answer by {@code token TOKEN}; {@code write VALUE} by {@code wrote}
 * or {@code refused TOKEN MARK}. In a transaction of PostgreSQL: {@code begin}, {@code require}, {@code insert VALUE} and
 * {@code commit}, each answered by its participle, or by {@code refused}. It says {@code stepped-down TOKEN REASON}, and ends
 * with its input.
 */
final class LateLeader {
    private final Instance instance;
    private final String postgres;
    private long token;
    private Connection transaction;

    private LateLeader(Instance instance, String postgres) {
        this.instance = instance;
        this.postgres = postgres;
    }

    public static void main(String[] args) throws Exception {
        Crossing crossing = Crossing.valueOf(args[0]);
        try (Instance instance = crossing.open(args[1], args[2], args[3], TokenSource.STORE_CLOCK);
                Scanner orders = new Scanner(System.in)) {
            LateLeader leader = new LateLeader(instance, args[2]);
            while (orders.hasNextLine()) {
                String[] words = orders.nextLine().split(" ");
                try {
                    leader.obey(words[0], words[words.length - 1]);
                } catch (StaleTokenException e) {
                    System.out.println("refused " + e.token() + " " + e.mark());
                }
            }
        }
    }

    private void obey(String order, String value) throws Exception {
        switch (order) {
            case "campaign" -> campaign();
            case "lock" -> lock();
            case "write" -> {
                instance.write(token, value);
                System.out.println("wrote");
            }
            case "begin" -> begin();
            case "require" -> {
                JdbcFence fence = (JdbcFence) instance.fence;
                fence.require(transaction, token);
                System.out.println("required");
            }
            case "insert" -> insert(value);
            case "commit" -> {
                transaction.commit();
                System.out.println("committed");
            }
            default -> throw new IllegalArgumentException(order);
        }
    }

    private void campaign() throws InterruptedException {
        Elector elector = instance.elector();
        elector.campaign();
        while (elector.token().isEmpty()) {
            Thread.sleep(5);
        }
        token = elector.token().getAsLong();
        System.out.println("token " + token);
        Thread watch = new Thread(this::watch, "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        try {
            while (instance.events(TenureEvent.SteppedDown.class).isEmpty()) {
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            return; // nobody does that
        }
        TenureEvent.SteppedDown down =
                instance.events(TenureEvent.SteppedDown.class).get(0);
        System.out.println("stepped-down " + down.token() + " " + down.reason());
    }

    private void lock() throws InterruptedException {
        LockOptions options = LockOptions.ofTtl(Instance.TTL).renewed().build();
        HeldLock held = instance.tenure.lock(instance.role, options).acquire();
        instance.fence.claim(held.token());
        token = held.token();
        System.out.println("token " + token);
    }

    private void begin() throws SQLException {
        transaction = LocalPostgres.source(postgres).getConnection();
        transaction.setAutoCommit(false);
        try (PreparedStatement statement = transaction.prepareStatement("SELECT count(*) FROM state")) {
            statement.execute();
        }
        System.out.println("begun");
    }

    private void insert(String value) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(Crossing.WRITE)) {
            statement.setString(1, instance.role);
            statement.setString(2, value);
            statement.executeUpdate();
        }
        System.out.println("inserted");
    }
}
