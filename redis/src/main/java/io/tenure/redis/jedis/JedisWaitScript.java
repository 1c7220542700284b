package io.tenure.redis.jedis;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import java.util.function.Predicate;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;

/**
 * A script that replicas may have to acknowledge. Nobody else has the connection meanwhile, and a redirection goes through
 * the whole of it again, so that the replicas that are counted are those of the server that ran the script.
 */
record JedisWaitScript(JedisScript script, Acknowledgement wanted, Predicate<RedisReply> awaits)
        implements JedisCall.Exchange<Acknowledgement.Outcome> {

    @Override
    public Acknowledgement.Outcome with(Connection connection, JedisNode node, JedisCall.Route route) {
        RedisReply reply = script.with(connection, node, route);
        if (!awaits.test(reply)) {
            return new Acknowledgement.Outcome(reply, 0);
        }
        CommandArguments command = new CommandArguments(Protocol.Command.WAIT)
                .add(wanted.replicas())
                .add(wanted.timeout().toMillis());
        int replicas = ((Number) connection.executeCommand(command)).intValue();
        return new Acknowledgement.Outcome(reply, replicas);
    }
}
