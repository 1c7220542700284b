package io.tenure.tool.demo.redis;

import io.tenure.tool.demo.Backend;
import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Pace;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import io.tenure.tool.demo.Workplace;
import java.util.List;

/** The demo on Redis. */
public final class RedisBackend implements Backend {
    static final String HSET = "HSET";
    static final String SET = "SET";

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public String product() {
        return "Redis server";
    }

    @Override
    public List<String> ways() {
        return List.of(HSET, SET);
    }

    @Override
    public Pace pace() {
        return Pace.PUSHED;
    }

    @Override
    public Server given(String url) throws StepFailed {
        RedisProbe.parse(url);
        return Server.given(url);
    }

    @Override
    public Server start(Cleanup cleanup) throws StepFailed, InterruptedException {
        return RedisServer.start(RedisServer.CANDIDATES, cleanup);
    }

    @Override
    public Probe probe(Server server, Names names) throws StepFailed {
        return RedisProbe.connect(server, names);
    }

    @Override
    public Workplace workplace(String url, Names names) {
        return new RedisWorkplace(url, names);
    }
}
