package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a user finds in the log of a process to which nothing happened. */
class QuietProcessTest {
    @RegisterExtension
    static final RedisServerRule REDIS = new RedisServerRule();

    @RegisterExtension
    final Children children = new Children();

    @Test
    void a_process_that_leads_waits_and_closes_logs_no_warning() {
        Child child = children.start(Openings.class, REDIS.uri());

        assertThat(child.finish()).isZero();

        assertThat(child.heard("done")).hasSize(1);
        assertThat(child.lines()).noneMatch(line -> line.startsWith("WARN"));
    }

    static final class Openings {
        public static void main(String[] args) {
            for (int i = 0; i < 40; i++) {
                try (Tenure first =
                                Tenure.over(RedisLeaseStore.connect(args[0])).open();
                        Tenure second =
                                Tenure.over(RedisLeaseStore.connect(args[0])).open()) {
                    first.elector("role").campaign();
                    second.elector("role").campaign();
                }
            }
            System.out.println("done");
        }
    }
}
