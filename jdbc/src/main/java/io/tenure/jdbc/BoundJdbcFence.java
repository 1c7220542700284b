package io.tenure.jdbc;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A {@link JdbcFence} with the token of one lease; it fails in the same ways. Thread-safe. */
public final class BoundJdbcFence {
    private final JdbcFence fence;
    private final long token;

    BoundJdbcFence(JdbcFence fence, long token) {
        this.fence = fence;
        this.token = token;
    }

    /** The token that is required. */
    public long token() {
        return token;
    }

    /**
     * Raises the mark to the token; see {@link JdbcFence#claim(long)}.
     *
     * @throws io.tenure.StaleTokenException as {@link JdbcFence#claim(long)}
     * @throws io.tenure.StoreException as {@link JdbcFence#claim(long)}
     */
    public void claim() {
        fence.claim(token);
    }

    /**
     * Makes sure that the token is current until the transaction ends; see {@link JdbcFence#require(Connection, long)}.
     *
     * @throws IllegalStateException as {@link JdbcFence#require(Connection, long)}
     * @throws io.tenure.StaleTokenException as {@link JdbcFence#require(Connection, long)}
     * @throws io.tenure.StoreException as {@link JdbcFence#require(Connection, long)}
     */
    public void require(Connection connection) {
        fence.require(connection, token);
    }

    /**
     * Runs one statement that writes; see {@link JdbcFence#guardedUpdate(long, String, Object...)}.
     *
     * @throws io.tenure.StaleTokenException as {@link JdbcFence#guardedUpdate(long, String, Object...)}
     * @throws io.tenure.StoreException as {@link JdbcFence#guardedUpdate(long, String, Object...)}
     */
    public long guardedUpdate(String sql, @Nullable Object... arguments) {
        return fence.guardedUpdate(token, sql, arguments);
    }
}
