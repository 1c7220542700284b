-- The table of leases on H2 2.
--
-- One row a name. It stays when its lease is over, for the tokens: those of elections for ever, those of locks until
-- forget_at. Names and holders are bytes of UTF-8, so that no collation takes two of them for one: UTF8TOSTRING shows them.
--
-- Two placeholders. For ${table} createSchema puts the name in quotes, "tenure_lease", behind the schema where one is set,
-- "infra"."leases"; for ${index} the name of the table with _forget_at behind it, without the schema: "tenure_lease_forget_at"
CREATE TABLE IF NOT EXISTS ${table} (
  name        VARBINARY(512) NOT NULL PRIMARY KEY,
  kind        VARCHAR(8) NOT NULL,        -- ELECTION or LOCK: what it was last acquired for
  holder      VARBINARY(1024) NOT NULL,   -- who has it, or had it last
  incarnation VARBINARY(255) NOT NULL,
  attempt     BIGINT NOT NULL,
  token       BIGINT NOT NULL,            -- the holder's
  counter     BIGINT NOT NULL,            -- the highest that was ever minted
  expires_at  TIMESTAMP(6) WITH TIME ZONE, -- null: released
  forget_at   TIMESTAMP(6) WITH TIME ZONE, -- null: never
  waiters     VARCHAR NOT NULL,
  version     BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS ${index} ON ${table} (forget_at);
