package io.tenure.tool.demo.sql;

import io.tenure.tool.demo.Backend;
import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Pace;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import io.tenure.tool.demo.Workplace;
import java.util.List;

/** The demo on a database. */
public final class SqlBackend implements Backend {
    /** One statement, fenced; named as the method, and by the alphabet the first. */
    static final String STATEMENT = "guardedUpdate";
    /** A transaction that is fenced by its first statement. */
    static final String TRANSACTION = "require";

    private final Database database;

    private SqlBackend(Database database) {
        this.database = database;
    }

    /** The demo on PostgreSQL. */
    public static SqlBackend postgres() {
        return new SqlBackend(Database.POSTGRES);
    }

    /** The demo on H2. */
    public static SqlBackend h2() {
        return new SqlBackend(Database.H2);
    }

    @Override
    public String name() {
        return database.word();
    }

    @Override
    public String product() {
        return database.product() + " server";
    }

    @Override
    public List<String> ways() {
        return List.of(STATEMENT, TRANSACTION);
    }

    @Override
    public Pace pace() {
        return database.pace();
    }

    @Override
    public Server given(String url) throws StepFailed {
        if (!database.accepts(url)) {
            throw Server.notOne(url, product(), database.form());
        }
        return Server.given(url);
    }

    @Override
    public Server start(Cleanup cleanup) throws StepFailed {
        return switch (database) {
            case POSTGRES -> PostgresServer.start(cleanup);
            case H2 -> H2Server.start(cleanup);
        };
    }

    @Override
    public Probe probe(Server server, Names names) throws StepFailed {
        return SqlProbe.connect(database, server, names);
    }

    @Override
    public Workplace workplace(String url, Names names) {
        return new SqlWorkplace(url, names);
    }
}
