package io.tenure.examples.elsewhere;

import io.tenure.StoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A table as DynamoDB behaves: transactions of all or nothing, refused with a reason for each part; repetitions under one
 * request token do nothing; plain reads may be old. For one thread at a time.
 */
final class FakeTable implements ItemTable {
    private final Map<String, Map<String, String>> items = new HashMap<>();
    private final Map<String, Map<String, String>> replica = new HashMap<>();
    private final Set<String> done = new HashSet<>();
    private int conflicts;
    private int lostAnswers;
    private int transactions;

    void conflictWithTheNext(int number) {
        conflicts = number;
    }

    void loseTheNextAnswers(int number) {
        lostAnswers = number;
    }

    /** How many transactions were carried out, repetitions left out. */
    int transactions() {
        return transactions;
    }

    void replicate() {
        replica.clear();
        replica.putAll(items);
    }

    /** {@code getItem} with {@code ConsistentRead=true}; empty when there is none. */
    Map<String, String> get(String key) {
        return items.getOrDefault(key, Map.of());
    }

    /** {@code getItem} as it is by default: from a replica. */
    Map<String, String> getEventually(String key) {
        return replica.getOrDefault(key, Map.of());
    }

    @Override
    public void transactWriteItems(String clientRequestToken, List<TransactItem> parts) {
        if (parts.stream().map(TransactItem::key).distinct().count() < parts.size()) {
            throw new IllegalArgumentException("Two parts have one key");
        }
        if (!done.contains(clientRequestToken)) {
            List<Reason> reasons = parts.stream().map(this::judge).toList();
            conflicts = Math.max(0, conflicts - 1);
            if (reasons.stream().anyMatch(reason -> !reason.code().equals("None"))) {
                throw new TransactionCanceledException(reasons);
            }
            for (TransactItem part : parts) {
                if (part instanceof Put put) {
                    items.put(put.key(), put.item());
                }
            }
            done.add(clientRequestToken);
            transactions++;
        }
        if (lostAnswers > 0) {
            lostAnswers--;
            throw StoreException.passing("timed out");
        }
    }

    private Reason judge(TransactItem part) {
        Map<String, String> item = get(part.key());
        if (conflicts > 0) {
            return new Reason("TransactionConflict", Map.of());
        }
        return holds(part.condition(), item, part.values())
                ? new Reason("None", Map.of())
                : new Reason("ConditionalCheckFailed", item);
    }

    /** {@code attribute_not_exists(a)}, {@code a <= :v} and {@code a = :v} of numbers, joined by {@code OR}. */
    private static boolean holds(String condition, Map<String, String> item, Map<String, String> values) {
        for (String term : condition.split(" OR ")) {
            if (term.isEmpty() || holdsAlone(term, item, values)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holdsAlone(String term, Map<String, String> item, Map<String, String> values) {
        if (term.startsWith("attribute_not_exists(")) {
            return !item.containsKey(term.substring("attribute_not_exists(".length(), term.length() - 1));
        }
        String[] words = term.split(" ");
        if (!item.containsKey(words[0])) {
            return false; // a comparison with what is not there does not hold
        }
        int order = Long.compare(Long.parseLong(item.get(words[0])), Long.parseLong(values.get(words[2])));
        return switch (words[1]) {
            case "<=" -> order <= 0;
            case "=" -> order == 0;
            default -> throw new IllegalArgumentException(term);
        };
    }
}
