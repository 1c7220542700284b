package io.tenure.redis.lettuce;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes any reply as it is: Lettuce's own outputs for scripts wrap a lone number in a list. */
final class LettuceReply extends CommandOutput<byte[], byte[], Object> {
    private final Deque<Part> open = new ArrayDeque<>();

    LettuceReply() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void set(double number) {
        add(number);
    }

    @Override
    public void set(boolean value) {
        add(value);
    }

    @Override
    public void setError(ByteBuffer error) {
        super.setError(error);
        add(null);
    }

    @Override
    public void multi(int size) {
        if (size < 0) {
            add(null);
            return;
        }
        Part part = new Part(size, new ArrayList<>(size));
        if (open.isEmpty()) {
            output = part.values;
        } else {
            open.peek().values.add(part.values);
        }
        open.push(part);
        closeFull();
    }

    @Override
    public void multiMap(int pairs) {
        multi(2 * pairs);
    }

    private void add(@Nullable Object value) {
        if (open.isEmpty()) {
            output = value;
        } else {
            open.peek().values.add(value);
            closeFull();
        }
    }

    private void closeFull() {
        while (!open.isEmpty() && open.peek().values.size() == open.peek().size) {
            open.pop();
        }
    }

    private record Part(int size, List<@Nullable Object> values) {}
}
