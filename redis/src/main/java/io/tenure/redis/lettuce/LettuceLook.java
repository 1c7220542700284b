package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.redis.RedisPort.Inspection;
import io.tenure.redis.RedisReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Commands that only read how a server is set up. */
final class LettuceLook {
    private LettuceLook() {}

    /** Sends them in one pipeline. */
    static Inspection at(LettuceNode node, List<List<String>> commands) {
        return new Inspection(
                node.toString(),
                commands.stream().map(command -> answer(node, command)).toList());
    }

    private static CompletionStage<RedisReply> answer(LettuceNode node, List<String> command) {
        CompletableFuture<RedisReply> answer = new CompletableFuture<>();
        try {
            CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
            command.stream().skip(1).forEach(word -> args.add(word.getBytes(UTF_8)));
            node.send(CommandType.valueOf(command.get(0)), args).whenComplete((reply, failure) -> {
                if (failure == null) {
                    answer.complete(RedisReply.of(reply));
                } else {
                    answer.completeExceptionally(LettuceCall.failure(failure, node.toString()));
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(LettuceCall.failure(e, node.toString()));
        }
        return answer;
    }
}
