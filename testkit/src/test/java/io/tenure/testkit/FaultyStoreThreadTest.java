package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class FaultyStoreThreadTest {
    @Test
    void a_thread_that_waits_is_offered_to_the_store_below() {
        List<Object> offered = new ArrayList<>();
        LeaseStore below = (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("wakeups")) {
                        return Wakeups.NONE;
                    }
                    offered.add(method.getName());
                    offered.add(arguments[1]);
                    return new CompletableFuture<>();
                });
        Executor waiting = Runnable::run;
        Claim claim = new Claim("a", "holder", "incarnation", 1, 1);
        FaultyStore above = FaultyStore.over(below);

        above.acquire(
                new LeaseRequest(claim, LeaseKind.LOCK, Duration.ofSeconds(10), 0, Takeover.NONE, Duration.ZERO),
                waiting);
        above.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN), waiting);

        assertThat(offered).containsExactly("acquire", waiting, "release", waiting);
    }
}
