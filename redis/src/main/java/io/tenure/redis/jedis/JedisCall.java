package io.tenure.redis.jedis;

import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One exchange with a server, on one of its threads. It is never sent twice but where a server says that it did not carry
 * it out. One that was cancelled is not sent any more; one that is under way then keeps its thread until the socket times
 * out.
 */
final class JedisCall<T> extends CompletableFuture<T> implements Runnable {
    private static final int MOST_REDIRECTIONS = 5;

    /** What is sent, and what becomes of the answer; blocking. */
    interface Exchange<T> {
        T with(Connection connection, JedisNode node, Route route);
    }

    /** Where a server stands in the life of a slot. */
    enum Route {
        OWNER,
        /** The slot is being moved to it: it has to be told that we know. */
        IMPORTING
    }

    /** Which threads a call may have. */
    enum Urgency {
        KEEPS_LEASES,
        CAN_WAIT
    }

    private final JedisNodes nodes;
    private final int slot;
    private final Urgency urgency;
    private final Exchange<T> exchange;
    private volatile JedisNode node;
    private Route route = Route.OWNER;
    private int redirections;

    /** @param slot that of its keys, on a cluster */
    JedisCall(JedisNodes nodes, int slot, JedisNode node, Urgency urgency, Exchange<T> exchange) {
        this.nodes = nodes;
        this.slot = slot;
        this.node = node;
        this.urgency = urgency;
        this.exchange = exchange;
    }

    /** Waits for a thread, or fails when there is no room to. */
    JedisCall<T> start() {
        try {
            node.lane(urgency).add(this);
            if (isDone()) {
                node.lane(urgency).drop(this);
            }
        } catch (RejectedExecutionException e) {
            completeExceptionally(nodes.isClosed() ? RedisErrors.closed(node.toString()) : full(e));
        }
        return this;
    }

    private StoreException full(RejectedExecutionException e) {
        return StoreException.passing(
                "Nothing was sent to " + node
                        + ": all threads for it are busy and their queue is full. The server is slow,"
                        + " or the pool of the Jedis client is too small (maxTotal)",
                e);
    }

    /** Its server is gone, or the store closed, before it was sent. */
    void sendElsewhere() {
        if (nodes.isClosed()) {
            completeExceptionally(RedisErrors.closed(node.toString()));
            return;
        }
        try {
            node = nodes.owner(slot);
            start();
        } catch (RuntimeException e) {
            completeExceptionally(JedisFailures.of(e, node.toString()));
        }
    }

    @Override
    public void run() {
        if (isDone()) {
            return;
        }
        JedisNode asked = node;
        Optional<T> answer;
        try (Connection connection = asked.borrow()) {
            answer = isDone() ? Optional.empty() : ask(asked, connection);
        } catch (Exception e) {
            fail(asked, e);
            return;
        } catch (Error e) {
            completeExceptionally(StoreException.permanent("A call to " + asked + " ended with an error: " + e, e));
            return;
        }
        // Only now, so that what follows from it finds the connection free.
        answer.ifPresent(value -> {
            complete(value);
            nodes.answered(slot);
        });
    }

    /** Empty when the call goes on elsewhere. */
    private Optional<T> ask(JedisNode asked, Connection connection) {
        try {
            return Optional.of(exchange.with(connection, asked, route));
        } catch (JedisRedirectionException e) {
            redirect(e);
            nodes.moved(connection, e);
            return Optional.empty();
        } catch (JedisDataException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // A part of its answer may be left, which the next one to have it would take for the answer to his.
            connection.setBroken();
            throw e;
        }
    }

    private void fail(JedisNode asked, Exception e) {
        boolean lost = JedisFailures.isOfConnection(e);
        if (lost) {
            asked.lost();
        }
        completeExceptionally(JedisFailures.of(e, asked.toString()));
        if (lost) {
            nodes.lost(slot);
        }
    }

    /** Nothing was done for this call where it was sent: it goes where the slot is. */
    private void redirect(JedisRedirectionException e) {
        if (!nodes.isCluster()) {
            throw e;
        }
        if (redirections++ == MOST_REDIRECTIONS) {
            throw StoreException.passing(
                    "Slot " + e.getSlot() + " is being moved: " + node + " was the last of " + redirections
                            + " servers that named another one. Nothing was done",
                    e);
        }
        route = e instanceof JedisAskDataException ? Route.IMPORTING : Route.OWNER;
        node = nodes.at(e.getTargetNode());
        if (!isDone()) {
            start();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            node.lane(urgency).drop(this);
        }
        return cancelled;
    }
}
