package io.tenure.redis.lettuce;

import io.lettuce.core.RedisURI;
import java.util.List;

/** URLs that were looked at, as Lettuce wants them. */
final class LettuceUris {
    private static final int DEFAULT_PORT = 6379;
    private static final int DEFAULT_SENTINEL_PORT = 26379;

    private LettuceUris() {}

    /** A server, a socket, or a primary with its sentinels. */
    static RedisURI parse(String uri) {
        return parse(ServerUrl.parse(uri), uri);
    }

    static RedisURI parse(ServerUrl url, String uri) {
        RedisURI target;
        try {
            target = RedisURI.create(uri);
        } catch (RuntimeException e) {
            // Its message quotes the URL, password included: not passed on.
            throw ServerUrl.wrong("it holds a character that no URL may hold; in user and password, write it as %XX");
        }
        if (url.isOneHost()) {
            // Of a host with an underscore Lettuce takes the port for a part.
            target.setHost(url.host());
            target.setPort(url.port());
        }
        if (!url.hasTimeout()) {
            target.setTimeout(LettuceSettings.COMMAND_TIMEOUT);
            target.getSentinels().forEach(sentinel -> sentinel.setTimeout(LettuceSettings.COMMAND_TIMEOUT));
        }
        return target;
    }

    /** The nodes of a cluster that are named. */
    static List<RedisURI> nodes(ServerUrl url) {
        return url.ofEachHost().stream().map(LettuceUris::parse).toList();
    }

    /** What to call it in messages: never with credentials. */
    static String describe(ServerUrl url, String uri) {
        if (url.isCluster()) {
            return "the cluster at " + String.join(", ", url.addresses(DEFAULT_PORT));
        }
        RedisURI target = parse(url, uri);
        if (url.isSocket()) {
            return target.getSocket();
        }
        if (url.isSentinels()) {
            return "the primary '" + target.getSentinelMasterId() + "' of the sentinels at "
                    + String.join(", ", url.addresses(DEFAULT_SENTINEL_PORT));
        }
        return target.getHost() + ":" + target.getPort();
    }
}
