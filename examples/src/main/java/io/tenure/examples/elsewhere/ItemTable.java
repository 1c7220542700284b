package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.util.List;
import java.util.Map;

/**
 * What {@link ItemFence} needs of a table of items; the call is DynamoDB's. Numbers are text, as they are in its protocol.
 */
interface ItemTable {
    /**
     * Does all of {@code items}, or nothing; no two of them may have one key. Sent again under the same
     * {@code clientRequestToken}, within ten minutes, it does nothing once it was done.
     *
     * @throws TransactionCanceledException when nothing was done
     * @throws StoreException transient, when no answer came: it may have been done
     */
    void transactWriteItems(String clientRequestToken, List<TransactItem> items);

    /** One part of a transaction. */
    sealed interface TransactItem {
        String key();

        String condition();

        /** What the condition's names stand for, as {@code ":token"}. */
        Map<String, String> values();
    }

    /** Looks only. */
    record ConditionCheck(String key, String condition, Map<String, String> values) implements TransactItem {}

    /** Replaces an item. An empty condition is none. */
    record Put(String key, Map<String, String> item, String condition, Map<String, String> values)
            implements TransactItem {}

    /** Why, part by part: {@code None}, {@code ConditionalCheckFailed}, {@code TransactionConflict}. */
    final class TransactionCanceledException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<Reason> reasons;

        TransactionCanceledException(List<Reason> reasons) {
            super(reasons.toString());
            this.reasons = reasons;
        }

        List<Reason> reasons() {
            return reasons;
        }
    }

    /** The item as it was, when asked for by {@code ReturnValuesOnConditionCheckFailure=ALL_OLD}; empty when there was none. */
    record Reason(String code, Map<String, String> item) {}
}
