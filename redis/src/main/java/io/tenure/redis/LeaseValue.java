package io.tenure.redis;

import io.tenure.LeaseRecord;
import io.tenure.Tokens;
import io.tenure.spi.Claim;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of a lease: {@code holder#incarnation-attempt-token}. A holder may contain {@code #} and {@code -}, an
 * incarnation neither, so the value is read from its last {@code #}. Any other value is somebody else's.
 */
final class LeaseValue {
    private static final Pattern FORM =
            Pattern.compile("(.+)#([^#-]+)-([1-9][0-9]{0,17})-([1-9][0-9]{0,15})", Pattern.DOTALL);

    /** For a lease without an expiry, which somebody else made. */
    private static final Duration NO_END = Duration.ofDays(365);

    private LeaseValue() {}

    static String of(Claim claim) {
        return attempt(claim) + claim.token();
    }

    /** All but the token. */
    static String attempt(Claim claim) {
        return claim.holder() + '#' + claim.incarnation() + '-' + claim.attempt() + '-';
    }

    static String of(LeaseRecord seen) {
        return seen.isOurs()
                ? seen.holder() + '#' + seen.incarnation() + '-' + seen.attempt() + '-' + seen.token()
                : seen.holder();
    }

    /** What a script answered as value, remaining milliseconds and counter, from {@code index} on. */
    static LeaseRecord record(String name, RedisReply reply, int index) {
        String value = reply.at(index).asString();
        long left = reply.at(index + 1).asLong();
        Duration remaining = left == -1 ? NO_END : Duration.ofMillis(Math.max(0, left));
        Matcher form = FORM.matcher(value);
        if (form.matches()) {
            long token = Long.parseLong(form.group(4));
            if (Tokens.isValid(token)) {
                return LeaseRecord.of(
                        name, form.group(1), form.group(2), Long.parseLong(form.group(3)), token, remaining);
            }
        }
        return LeaseRecord.of(name, value, "", 0, counter(reply.at(index + 2)), remaining);
    }

    private static long counter(RedisReply reply) {
        try {
            long counter = reply.isNil() ? 0 : reply.asLong();
            return Tokens.isValid(counter) ? counter : 0;
        } catch (IllegalStateException e) {
            return 0; // no number: told when somebody tries to count on from it
        }
    }
}
