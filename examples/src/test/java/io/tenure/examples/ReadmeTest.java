package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the README shows does what it says. */
class ReadmeTest {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @Test
    void an_operation_is_guarded_skipped_when_somebody_else_does_it_and_released() throws Exception {
        Readme readme = new Readme();
        try (Tenure tenure = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open();
                Tenure other = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open()) {
            assertThat(readme.operation(tenure, "a")).isTrue();
            boolean ran = other.lock("daily-report").call(held -> readme.operation(tenure, "b"));
            assertThat(ran).isFalse();
            assertThat(tenure.list("", 10)).isEmpty();
        }

        assertThat(readme.written()).hasSize(5).satisfies(lines -> {
            assertThat(lines.get(0)).matches("\\d+ a");
            assertThat(lines.get(1)).isEqualTo("report");
            assertThat(lines.get(2)).matches("\\d+ a");
            assertThat(lines.get(3)).matches("\\d+ b");
            assertThat(lines.get(4)).matches("\\d+ b");
        });
    }
}
