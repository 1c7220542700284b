package io.tenure.redis.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A script as it is sent: by text until the server is known to have it, then by digest, and by text again when the server
 * has forgotten it (docs/decisions/0007).
 */
final class JedisScript implements JedisCall.Exchange<RedisReply> {
    private final RedisScript script;
    private final byte[][] keys;
    private final byte[][] args;

    JedisScript(RedisScript script, byte[][] keys, byte[][] args) {
        this.script = script;
        this.keys = keys;
        this.args = args;
    }

    @Override
    public RedisReply with(Connection connection, JedisNode node, JedisCall.Route route) {
        if (route == JedisCall.Route.IMPORTING) {
            // It counts for the next command alone, which therefore has to be one that no server refuses.
            connection.executeCommand(Protocol.Command.ASKING);
            return byText(connection, node);
        }
        byte[] digest = node.digest(script);
        if (digest == null) {
            return byText(connection, node);
        }
        try {
            return send(connection, Protocol.Command.EVALSHA, digest);
        } catch (JedisNoScriptException e) {
            return byText(connection, node);
        }
    }

    private RedisReply byText(Connection connection, JedisNode node) {
        RedisReply reply = send(connection, Protocol.Command.EVAL, script.body().getBytes(UTF_8));
        node.knows(script);
        return reply;
    }

    private RedisReply send(Connection connection, Protocol.Command command, byte[] text) {
        CommandArguments sent = new CommandArguments(command).add(text).add(keys.length);
        for (byte[] key : keys) {
            sent.add(key);
        }
        for (byte[] arg : args) {
            sent.add(arg);
        }
        return JedisReply.of(connection.executeCommand(sent));
    }
}
