package io.tenure.tool.demo;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TenureException;
import io.tenure.Term;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of the demo's processes, seen from inside: takes orders line by line and says line by line what it sees. It ends
 * with its input, so that it does not outlive the demo.
 */
public final class Contender implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(2);
    static final Duration LOCK_TTL = Duration.ofSeconds(10);

    private static final Duration LOOK_EVERY = Duration.ofMillis(1);
    /** A longer gap between two looks means that the process was stopped. */
    private static final Duration PAUSE = TTL.dividedBy(4);

    private final String id;
    private final List<String> ways;
    private final PrintStream out;
    private final Workplace workplace;
    private final Tenure tenure;
    private final Elector elector;
    private final LeaseLock lock;
    private @Nullable Candidacy candidacy;
    private @Nullable HeldLock held;

    private Contender(Backend backend, String id, Names names, PrintStream out) {
        this.id = id;
        this.ways = backend.ways();
        this.out = out;
        workplace = backend.workplace(Objects.requireNonNull(System.getenv(Server.VARIABLE), Server.VARIABLE), names);
        tenure = Tenure.over(workplace.store()).holder(id).observer(this::tell).open();
        elector = tenure.elector(
                names.role(),
                ElectorOptions.ofTtl(TTL)
                        .retryEvery(backend.pace().electionLooks())
                        .claims(workplace.claims())
                        .build());
        lock = tenure.lock(
                names.lock(),
                LockOptions.ofTtl(LOCK_TTL)
                        .retryEvery(backend.pace().lockLooks())
                        .renewed()
                        .build());
    }

    /**
     * Stands for the election {@code role} on {@code backend} as {@code id}, as ordered from {@code in}; returns the exit
     * code.
     */
    public static int run(Backend backend, String id, String role, InputStream in, PrintStream out) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        try (Contender contender = new Contender(backend, id, Names.of(role), out)) {
            contender.say("ready");
            for (String order = orders.readLine(); !"quit".equals(order); order = orders.readLine()) {
                if (order == null) {
                    Runtime.getRuntime().halt(1); // the demo is gone, and nobody is left to be told anything
                }
                contender.obey(Line.parse(id, Objects.requireNonNull(order), 0));
            }
        } catch (TenureException | InterruptedException | IllegalStateException e) {
            out.println(Inbox.PROBLEM + " " + e.toString().replace('\n', ' '));
            return 1;
        }
        return 0;
    }

    private void obey(Line order) throws InterruptedException {
        switch (order.verb()) {
            case "stand" -> candidacy = elector.campaign(this::lead);
            case "resign" -> elector.resign();
            case "write" -> write(order.number(0), order.word(1));
            case "lock" -> {
                say("waiting");
                held = lock.tryAcquire(LOCK_TTL)
                        .orElseThrow(() -> new IllegalStateException("no lock within " + LOCK_TTL));
                say("locked", held.token());
            }
            case "unlock" -> {
                Objects.requireNonNull(held, "held").release();
                say("unlocked");
            }
            default -> throw new IllegalStateException("unknown order: " + order.text());
        }
    }

    /** The work: writes once, and then does nothing but look whether it still leads. */
    private void lead(Term term) {
        say("leads", term.token());
        write(term.token(), id);
        long last = System.nanoTime();
        boolean leading = true;
        while (leading) {
            long begun = System.nanoTime();
            boolean seen = term.isHeld();
            if (System.nanoTime() - begun > PAUSE.toNanos()) {
                continue; // stopped in the middle of a look: the next one is the first that began after it
            }
            if (begun - last > PAUSE.toNanos()) {
                say("look", seen, Duration.ofNanos(begun - last).toMillis());
            }
            leading = seen;
            last = begun;
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** Writes with whatever token it is told to, as code does that looked before a pause and writes after it. */
    private void write(long token, String value) {
        for (String way : ways) {
            try {
                workplace.write(way, token, value);
                say("wrote", way, token);
            } catch (StaleTokenException e) {
                say("refused", way, token, e.mark());
            }
        }
    }

    private void tell(TenureEvent event) {
        if (event instanceof TenureEvent.Following following) {
            say("follows", following.leader().holder(), following.leader().token());
        } else if (event instanceof TenureEvent.LeaderChanged changed) {
            say("follows", changed.leader().holder(), changed.leader().token());
        } else if (event instanceof TenureEvent.SteppedDown over) {
            say("ended", over.reason(), over.token());
        } else {
            say("event", event);
        }
    }

    private void say(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ").append(word.toString().replace('\n', ' '));
        }
        // One write a line, since several threads speak.
        out.print(line.append('\n'));
        out.flush();
    }

    @Override
    public void close() {
        if (candidacy != null) {
            candidacy.close();
        }
        tenure.close();
        workplace.close();
    }
}
