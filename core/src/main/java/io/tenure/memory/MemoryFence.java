package io.tenure.memory;

import io.tenure.Fence;
import io.tenure.StaleTokenException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fence of one name for state within this process, on the store that keeps the lease: it knows the tokens as they
 * are minted, so a predecessor is refused from the moment its successor was granted the lease. A token is current when
 * it is the highest that the store knows for the name; when the store has lost its tokens, every token is refused until
 * the holder's next renewal has restored them. Thread-safe.
 */
public final class MemoryFence implements Fence {
    private final MemoryServer server;
    private final MemoryLeaseStore client;
    private final String name;

    MemoryFence(MemoryServer server, MemoryLeaseStore client, String name) {
        this.server = server;
        this.client = client;
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Runs {@code write} when {@code token} is current, in one atomic step with the check: nobody is granted the lease, and
     * no other fenced write runs, before it has returned. It runs under the lock of the whole store, on the calling
     * thread: it should be short, and must not wait for another thread. What it throws is thrown on, and leaves the mark
     * where it was.
     *
     * @throws StaleTokenException when {@code token} is not current; {@code write} was not run, and a
     *     {@link io.tenure.TenureEvent.FenceRejected} was told
     */
    public void run(long token, Runnable write) {
        Objects.requireNonNull(write, "write");
        this.<@Nullable Object>call(token, () -> {
            write.run();
            return null;
        });
    }

    /**
     * As {@link #run}, for a write with a result.
     *
     * @throws StaleTokenException when {@code token} is not current; {@code write} was not run
     */
    public <T extends @Nullable Object> T call(long token, Supplier<T> write) {
        Objects.requireNonNull(write, "write");
        return server.fenced(name, token, write, client::report);
    }

    /**
     * Raises the mark to {@code token}, which has to be current.
     *
     * @throws StaleTokenException when it is not
     */
    @Override
    public void claim(long token) {
        run(token, () -> {});
    }
}
