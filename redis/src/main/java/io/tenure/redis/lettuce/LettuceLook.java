package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.redis.RedisReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Commands that only read how a server is set up. */
final class LettuceLook {
    private LettuceLook() {}

    /** Sends one; the answers of those that are sent together come in one pipeline. */
    static CompletionStage<RedisReply> at(
            StatefulConnection<byte[], byte[]> connection, List<String> command, String server) {
        CompletableFuture<RedisReply> answer = new CompletableFuture<>();
        try {
            CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
            command.stream().skip(1).forEach(word -> args.add(word.getBytes(UTF_8)));
            AsyncCommand<byte[], byte[], Object> sent =
                    new AsyncCommand<>(new Command<>(CommandType.valueOf(command.get(0)), new LettuceReply(), args));
            connection.dispatch(sent);
            sent.whenComplete((reply, failure) -> {
                if (failure == null) {
                    answer.complete(RedisReply.of(reply));
                } else {
                    answer.completeExceptionally(LettuceCall.failure(failure, server));
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(LettuceCall.failure(e, server));
        }
        return answer;
    }
}
