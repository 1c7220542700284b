package io.tenure.redis.cases;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One instance of a case, with a connection of its own, in this process. */
final class Member {
    final String who;
    final SendLog sends;
    final RedisFence fence;
    final Tenure tenure;
    final Elector elector;
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    Member(String who, String uri, String role, ElectorOptions options) {
        this.who = who;
        RedisLeaseStore store = RedisLeaseStore.connect(uri);
        sends = new SendLog(store);
        fence = store.fence(role);
        tenure = Tenure.over(sends).holder(who).observer(events::add).open();
        elector = tenure.elector(role, options);
    }

    void write(long token, String what) {
        Ledger.write(fence, token, who, what);
    }

    List<TenureEvent> events() {
        return List.copyOf(events);
    }

    <E extends TenureEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
