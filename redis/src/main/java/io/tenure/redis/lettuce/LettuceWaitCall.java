package io.tenure.redis.lettuce;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A script that replicas may have to acknowledge. Cancelled before it was sent, it is not sent any more. */
final class LettuceWaitCall extends CompletableFuture<Acknowledgement.Outcome> {
    final Acknowledgement wanted;
    final RedisScript script;
    final byte[][] keys;
    final byte[][] args;
    private final Predicate<RedisReply> wait;
    private volatile @Nullable LettuceCall sent;
    private volatile @Nullable RedisReply reply;

    LettuceWaitCall(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        this.wanted = wanted;
        this.wait = wait;
        this.script = script;
        this.keys = keys;
        this.args = args;
    }

    void sent(LettuceCall call) {
        sent = call;
        if (isDone()) {
            call.cancel(false);
        }
    }

    /** The script answered: what needs no acknowledgement is done. */
    void replied(RedisReply answer) {
        boolean awaits;
        try {
            awaits = wait.test(answer);
        } catch (RuntimeException e) {
            completeExceptionally(e);
            return;
        }
        if (awaits) {
            reply = answer;
        } else {
            complete(new Acknowledgement.Outcome(answer, 0));
        }
    }

    void acknowledged(int replicas) {
        RedisReply answer = reply;
        if (answer != null) {
            complete(new Acknowledgement.Outcome(answer, replicas));
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        drop();
        return cancelled;
    }

    void fail(RuntimeException why) {
        completeExceptionally(why);
        drop();
    }

    private void drop() {
        LettuceCall call = sent;
        if (call != null) {
            call.cancel(false);
        }
    }
}
