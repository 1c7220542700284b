package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportTest {
    private final Report report = new Report(Pace.PUSHED);

    private void everythingHeld() {
        for (Claim claim : Claim.values()) {
            report.check(claim, true, "");
        }
    }

    private String printed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        report.print(Screen.plain(new PrintStream(bytes, true, StandardCharsets.UTF_8)));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void the_exit_code_is_0_when_every_claim_was_checked_and_held() {
        everythingHeld();
        assertThat(report.exitCode()).isZero();
        assertThat(printed()).contains(Claim.values().length + " of " + Claim.values().length);
    }

    @ParameterizedTest
    @EnumSource(Claim.class)
    void one_claim_that_failed_makes_the_exit_code_1(Claim claim) {
        everythingHeld();
        report.check(claim, false, "the wrong one led");
        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(printed().lines().filter(line -> line.contains("FAILED")))
                .singleElement()
                .asString()
                .contains(claim.text(Pace.PUSHED), "the wrong one led");
    }

    @ParameterizedTest
    @EnumSource(Claim.class)
    void one_claim_that_was_not_checked_makes_the_exit_code_1(Claim claim) {
        for (Claim other : Claim.values()) {
            if (other != claim) {
                report.check(other, true, "");
            }
        }
        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(printed().lines().filter(line -> line.contains("NOT SEEN")))
                .singleElement()
                .asString()
                .contains(claim.text(Pace.PUSHED));
    }

    @Test
    void where_nobody_is_told_of_a_release_no_push_is_claimed() {
        for (Claim claim : Claim.values()) {
            assertThat(claim.text(Pace.POLLED)).doesNotContain("push", "at once", "%");
        }
        assertThat(Claim.LOCK.text(Pace.PUSHED)).endsWith("by push");
        assertThat(Claim.RESIGNED.text(Pace.PUSHED)).contains("at once");
    }

    @Test
    void a_claim_that_failed_once_stays_failed_and_tells_the_first_failure() {
        everythingHeld();
        report.check(Claim.RISING, false, "first");
        report.check(Claim.RISING, false, "second");
        report.check(Claim.RISING, true, "");
        report.measure(Claim.RISING, "2.0 ms");
        assertThat(report.verdict(Claim.RISING)).isEqualTo(Report.Verdict.FAILED);
        assertThat(printed()).contains("first").doesNotContain("second", "2.0 ms");
    }
}
