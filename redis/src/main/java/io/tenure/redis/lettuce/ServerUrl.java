package io.tenure.redis.lettuce;

import io.tenure.redis.RedisPort;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a server, looked at part by part before a client gets it: Lettuce passes over what it does not understand,
 * and a time-out with a slip of the pen becomes its default. Messages name the part that is wrong and quote it only where
 * it cannot be a piece of a password.
 */
final class ServerUrl {
    private static final Set<String> ONE_HOST = Set.of("redis", "rediss");
    private static final Set<String> SOCKET = Set.of("redis-socket");
    private static final Set<String> SENTINELS = Set.of("redis-sentinel", "rediss-sentinel");
    private static final Set<String> CLUSTER = Set.of("redis-cluster", "rediss-cluster");
    private static final Set<String> PARAMETERS = Set.of(
            "timeout",
            "database",
            "db",
            "clientName",
            "libraryName",
            "libraryVersion",
            "verifyPeer",
            "sentinelMasterId");
    private static final Set<String> VERIFICATIONS = Set.of("NONE", "CA", "FULL");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,18})(ns|us|ms|s|m|h|d)?");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");
    private static final Pattern HOST = Pattern.compile("\\[[0-9A-Fa-f:.]+(%25[^\\]]+)?\\]|[^:\\[\\]\\s]+");
    private static final int DEFAULT_PORT = 6379;
    private static final int LAST_PORT = 65535;

    private final String scheme;
    private final String credentials;
    private final String authority;
    private final String path;
    private final String query;
    private final Map<String, String> parameters = new HashMap<>();
    private final boolean named;

    private ServerUrl(String url) {
        int end = url.indexOf("://");
        scheme = end < 0 ? "" : url.substring(0, end);
        if (!isOneHost() && !isSocket() && !isSentinels() && !isCluster()) {
            throw wrong("it starts with none of redis://, rediss://, redis-socket://, redis-sentinel://,"
                    + " rediss-sentinel://, redis-cluster:// and rediss-cluster://");
        }
        String rest = url.substring(end + 3);
        int authorityEnd = indexOfAny(rest, "/?#");
        String behind = rest.substring(authorityEnd);
        if (behind.indexOf('@') >= 0) {
            throw wrong("there is an '@' behind the host; in a password, write '/' as %2F, '?' as %3F and '#' as %23");
        }
        int hosts = rest.lastIndexOf('@', authorityEnd) + 1;
        credentials = rest.substring(0, hosts);
        authority = rest.substring(hosts, authorityEnd);
        int fragment = behind.indexOf('#');
        named = fragment >= 0 && fragment < behind.length() - 1;
        String before = fragment < 0 ? behind : behind.substring(0, fragment);
        int pathEnd = indexOfAny(before, "?");
        path = before.substring(0, pathEnd);
        query = before.substring(pathEnd);
        if (!isOneHost() && credentials.indexOf(',') >= 0) {
            throw wrong(
                    "there is a ',' before the '@': user and password stand once, before the first host; in them, write"
                            + " ',' as %2C");
        }
        requireAuthority();
        if (!query.isEmpty()) {
            addParameters(query.substring(1));
        }
        requirePath(fragment >= 0);
        requireValues();
    }

    /**
     * Looks at every part of {@code url}.
     *
     * @throws IllegalArgumentException naming the part that is wrong, never the password
     */
    static ServerUrl parse(String url) {
        return new ServerUrl(Objects.requireNonNull(url, "uri"));
    }

    /** Whether it names one host and port, and not a socket or sentinels. */
    boolean isOneHost() {
        return ONE_HOST.contains(scheme);
    }

    boolean isSocket() {
        return SOCKET.contains(scheme);
    }

    boolean isSentinels() {
        return SENTINELS.contains(scheme);
    }

    boolean isCluster() {
        return CLUSTER.contains(scheme);
    }

    /** The same for each host of its own: {@code redis://user:password@host:port?parameters}. */
    List<String> ofEachHost() {
        String one = scheme.startsWith("rediss") ? "rediss://" : "redis://";
        return hosts().map(host -> one + credentials + host + path + query).toList();
    }

    private Stream<String> hosts() {
        return isOneHost() ? Stream.of(authority) : Arrays.stream(authority.split(",", -1));
    }

    /** The hosts with their ports, for messages. */
    List<String> addresses(int defaultPort) {
        return hosts().map(host -> hostEnd(host) == host.length() ? host + ":" + defaultPort : host)
                .toList();
    }

    boolean hasTimeout() {
        return parameters.containsKey("timeout");
    }

    String host() {
        return authority.substring(0, hostEnd(authority));
    }

    int port() {
        int end = hostEnd(authority);
        return end == authority.length() ? DEFAULT_PORT : Integer.parseInt(authority.substring(end + 1));
    }

    private void requireAuthority() {
        if (isSocket()) {
            if (!authority.isEmpty()) {
                throw wrong("a socket has no host: write redis-socket:///path/to/socket, with three slashes");
            }
            return;
        }
        hosts().forEach(ServerUrl::requireHost);
    }

    private static void requireHost(String text) {
        int end = hostEnd(text);
        if (end == 0) {
            throw wrong("the host is missing");
        }
        if (!HOST.matcher(text.substring(0, end)).matches()) {
            throw wrong("the host is no name and no address; an IPv6 address stands in brackets");
        }
        if (end < text.length()) {
            String port = text.substring(end + 1);
            // What stands here may be a password whose host was forgotten.
            if (!WHOLE.matcher(port).matches()) {
                throw wrong("the port is no number");
            }
            int number = Integer.parseInt(port);
            if (number < 1 || number > LAST_PORT) {
                throw wrong("the port is " + port + ", it has to be from 1 to " + LAST_PORT);
            }
        }
    }

    /** Where the host ends: at the colon before the port, which in an address with brackets stands behind them. */
    private static int hostEnd(String text) {
        int colon = text.startsWith("[") ? text.indexOf(':', Math.max(0, text.indexOf(']'))) : text.lastIndexOf(':');
        return colon < 0 ? text.length() : colon;
    }

    private void addParameters(String query) {
        for (String parameter : query.split("[&;]", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (!PARAMETERS.contains(name)) {
                throw wrong("the parameter '" + name + "' is unknown; there are timeout, database, clientName,"
                        + " libraryName, libraryVersion, verifyPeer and sentinelMasterId");
            }
            if (equals < 0 || equals == parameter.length() - 1) {
                throw wrong("the parameter " + name + " has no value");
            }
            String known = name.equals("db") ? "database" : name;
            if (parameters.putIfAbsent(known, parameter.substring(equals + 1)) != null) {
                throw wrong("the parameter " + known + " is given twice");
            }
        }
    }

    private void requirePath(boolean fragment) {
        Set<String> databases = new HashSet<>();
        if (parameters.containsKey("database")) {
            databases.add(parameters.get("database"));
        }
        if (isSocket()) {
            if (path.length() < 2) {
                throw wrong("the path of the socket is missing");
            }
        } else if (path.length() > 1) {
            databases.add(path.substring(1));
        }
        for (String database : databases) {
            if (!WHOLE.matcher(database).matches()) {
                throw wrong("the database is '" + database + "', it has to be a number from 0 up");
            }
        }
        if (databases.size() > 1) {
            throw wrong("the databases " + databases + " are two");
        }
        if (isCluster() && !databases.stream().allMatch(database -> Integer.parseInt(database) == 0)) {
            throw wrong("the database is " + databases.iterator().next() + ", and a cluster has no other than 0");
        }
        if (isSentinels()) {
            if (named == parameters.containsKey("sentinelMasterId")) {
                throw wrong("the name of the primary has to stand behind '#' or in sentinelMasterId, once");
            }
        } else if (fragment || parameters.containsKey("sentinelMasterId")) {
            throw wrong("it names a primary, which only redis-sentinel:// does");
        }
    }

    private void requireValues() {
        String verify = parameters.getOrDefault("verifyPeer", "FULL");
        if (!VERIFICATIONS.contains(verify.toUpperCase(Locale.ROOT))) {
            throw wrong("verifyPeer is '" + verify + "', it has to be one of NONE, CA and FULL");
        }
        String timeout = parameters.get("timeout");
        if (timeout != null && !isTimeout(timeout)) {
            throw wrong("the timeout is '" + timeout + "', it has to be from 1ms to 1d: a number with one of the units"
                    + " ms, s, m, h and d");
        }
    }

    private static boolean isTimeout(String text) {
        Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            return false;
        }
        double nanos = Double.parseDouble(span.group(1)) * unit(span.group(2));
        return nanos >= 1e6 && nanos <= RedisPort.MAX_TIMEOUT.toNanos();
    }

    private static double unit(@Nullable String unit) {
        if (unit == null) {
            return 1e6;
        }
        return switch (unit) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> Duration.ofMinutes(1).toNanos();
            case "h" -> Duration.ofHours(1).toNanos();
            default -> Duration.ofDays(1).toNanos();
        };
    }

    private static int indexOfAny(String text, String wanted) {
        for (int i = 0; i < text.length(); i++) {
            if (wanted.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    /** The failure that says what is wrong with the URL. */
    static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("The URL of the Redis server is wrong: " + what
                + ". Write redis://host:port, redis-sentinel://host:port,host:port#primary or"
                + " redis-cluster://host:port,host:port, with rediss for TLS; user:password@ goes before the host, /database"
                + " behind it");
    }
}
