package io.tenure.examples.elsewhere;

import io.tenure.Fence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tokens;
import io.tenure.examples.elsewhere.ItemTable.ConditionCheck;
import io.tenure.examples.elsewhere.ItemTable.Put;
import io.tenure.examples.elsewhere.ItemTable.Reason;
import io.tenure.examples.elsewhere.ItemTable.TransactItem;
import io.tenure.examples.elsewhere.ItemTable.TransactionCanceledException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Items of a table, written by one leader after the other. The mark is an item of its own, one per name, and every write
 * is a transaction with a check of it: so a claim refuses every earlier leader on all items at once, also on those that the
 * new one never touches.
 */
final class ItemFence implements Fence {
    private static final int MOST_TRIES = 10;

    private final ItemTable table;
    private final String name;

    ItemFence(ItemTable table, String name) {
        this.table = table;
        this.name = name;
    }

    // tag::claim
    @Override
    public void claim(long token) {
        Tokens.requireValid(name, token, 0);
        Map<String, String> mark = Map.of("fence", Long.toString(token));
        transact(
                token,
                new Put(key(), mark, "attribute_not_exists(fence) OR fence <= :token", values(token)),
                List.of());
    }

    void write(long token, List<Put> puts) {
        Tokens.requireValid(name, token, 0);
        transact(token, new ConditionCheck(key(), "fence = :token", values(token)), puts);
    }
    // end::claim

    private void transact(long token, TransactItem fence, List<Put> puts) {
        List<TransactItem> items = new ArrayList<>(puts);
        items.add(0, fence);
        String requestToken = UUID.randomUUID().toString();
        boolean answered = true;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                table.transactWriteItems(requestToken, items);
                return;
            } catch (TransactionCanceledException e) {
                refuseUnlessConflict(token, e.reasons());
            } catch (StoreException e) {
                // Once more: the same request token says whether it was done. Twice without an answer: nobody knows.
                if (!e.isTransient() || !answered) {
                    throw e;
                }
                answered = false;
            }
        }
        throw StoreException.passing(
                "Others were writing what belongs to '" + name + "' " + MOST_TRIES + " times in a row");
    }

    /** A conflict is no refusal: another transaction was under way, perhaps one of this leader's own. */
    private void refuseUnlessConflict(long token, List<Reason> reasons) {
        Reason fence = reasons.get(0);
        if (fence.code().equals("ConditionalCheckFailed")) {
            throw new StaleTokenException(
                    name, token, Long.parseLong(fence.item().getOrDefault("fence", "0")));
        }
        if (reasons.stream().noneMatch(reason -> reason.code().equals("TransactionConflict"))) {
            throw StoreException.permanent("The transaction of '" + name + "' was cancelled: " + reasons);
        }
    }

    private String key() {
        return "fence#" + name;
    }

    private static Map<String, String> values(long token) {
        return Map.of(":token", Long.toString(token));
    }
}
