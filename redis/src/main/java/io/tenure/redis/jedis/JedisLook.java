package io.tenure.redis.jedis;

import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** A look at how a server is set up: commands that only read, in one pipeline. */
record JedisLook(List<List<String>> commands) implements JedisCall.Exchange<List<CompletionStage<RedisReply>>> {

    /** Looks at a server; one that cannot be asked fails every reply. */
    CompletableFuture<RedisPort.Inspection> at(JedisNode node, JedisNodes nodes) {
        return new JedisCall<>(nodes, JedisTopology.NO_SLOT, node, JedisCall.Urgency.CAN_WAIT, this)
                .start()
                .exceptionally(failure -> commands.stream()
                        .map(command ->
                                CompletableFuture.<RedisReply>failedStage(JedisFailures.of(failure, node.toString())))
                        .toList())
                .thenApply(replies -> new RedisPort.Inspection(node.toString(), replies));
    }

    @Override
    public List<CompletionStage<RedisReply>> with(Connection connection, JedisNode node, JedisCall.Route route) {
        for (List<String> command : commands) {
            CommandArguments sent = new CommandArguments(Protocol.Command.valueOf(command.get(0)));
            command.stream().skip(1).forEach(sent::add);
            connection.sendCommand(sent);
        }
        List<CompletionStage<RedisReply>> replies = new ArrayList<>();
        for (Object read : connection.getMany(commands.size())) {
            replies.add(
                    read instanceof JedisDataException refusal
                            ? CompletableFuture.failedStage(JedisFailures.of(refusal, node.toString()))
                            : CompletableFuture.completedStage(JedisReply.of(read)));
        }
        return replies;
    }
}
