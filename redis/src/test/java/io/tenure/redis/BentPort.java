package io.tenure.redis;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A port that is bent at one place: it takes itself for a cluster's, or runs other scripts than it was given. */
public final class BentPort implements RedisPort {
    private final RedisPort port;
    private final UnaryOperator<RedisScript> scripts;
    private final Shape shape;
    private final Duration timeout;

    public enum Shape {
        STANDALONE,
        CLUSTER
    }

    public BentPort(RedisPort port, Shape shape, UnaryOperator<RedisScript> scripts) {
        this(port, shape, scripts, port.timeout());
    }

    public BentPort(RedisPort port, Shape shape, UnaryOperator<RedisScript> scripts, Duration timeout) {
        this.port = port;
        this.shape = shape;
        this.scripts = scripts;
        this.timeout = timeout;
    }

    /** A port that leaves one of its methods as the interface has it. */
    static RedisPort without(String method, RedisPort port) {
        return (RedisPort) Proxy.newProxyInstance(
                RedisPort.class.getClassLoader(),
                new Class<?>[] {RedisPort.class},
                (proxy, called, args) -> called.getName().equals(method)
                        ? InvocationHandler.invokeDefault(proxy, called, args)
                        : called.invoke(port, args));
    }

    @Override
    public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
        return port.run(scripts.apply(script), keys, args);
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        return port.runAcknowledged(wanted, wait, scripts.apply(script), keys, args);
    }

    @Override
    public CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
        return port.inspect(commands);
    }

    @Override
    public CompletionStage<List<byte[]>> keys(byte[] pattern) {
        return port.keys(pattern);
    }

    @Override
    public void subscribe(String channel, Subscriber subscriber) {
        port.subscribe(channel, subscriber);
    }

    @Override
    public void onReturn(Runnable action) {
        port.onReturn(action);
    }

    @Override
    public boolean isCluster() {
        return shape == Shape.CLUSTER;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public Duration shortestTtl() {
        return port.shortestTtl();
    }

    @Override
    public void close() {
        port.close();
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
