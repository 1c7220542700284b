package io.tenure.examples.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Term;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HttpObjectsTest {
    @Test
    void law26_a_stale_leader_is_answered_412_before_its_successor_has_written() throws IOException {
        try (FakeHttpResource service = FakeHttpResource.start();
                Succession succession = new Succession()) {
            PointerFence old = new PointerFence(new HttpObjects(service.address()), "importer");
            PointerFence fresh = new PointerFence(new HttpObjects(service.address()), "importer");
            Term stale = succession.elect(old);
            old.publish(stale.token(), "of the first");
            ObjectStore.StoredObject seen =
                    new HttpObjects(service.address()).get(old.pointerKey()).orElseThrow();
            Term current = succession.succeed(fresh);

            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> old.publish(stale.token(), "late"))
                    .satisfies(refusal -> assertThat(refusal.mark()).isEqualTo(current.token()));
            assertThat(new HttpObjects(service.address()).putIfMatch(old.pointerKey(), seen.etag(), seen.body()))
                    .as("also with the tag that it had seen")
                    .isFalse();

            fresh.publish(current.token(), "of the second");
            assertThat(old.read()).hasValue("of the second");
        }
    }

    @Test
    void a_service_with_weak_tags_only_is_refused_for_good() throws IOException {
        try (FakeHttpResource service = FakeHttpResource.withWeakTags()) {
            PointerFence fence = new PointerFence(new HttpObjects(service.address()), "importer");
            fence.claim(41);

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> fence.claim(42))
                    .matches(e -> !e.isTransient())
                    .withMessageContaining("strong entity tag");
        }
    }

    @Test
    void a_service_that_is_not_there_is_trouble_that_passes() throws IOException {
        FakeHttpResource service = FakeHttpResource.start();
        service.close();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new PointerFence(new HttpObjects(service.address()), "importer").claim(1))
                .matches(StoreException::isTransient);
    }
}
