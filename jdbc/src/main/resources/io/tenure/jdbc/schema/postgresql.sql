-- The table of leases on PostgreSQL 13 and later.
--
-- One row a name. It stays when its lease is over, for the tokens: those of elections for ever, those of locks until
-- forget_at. Names and holders are compared byte by byte, whatever the collation of the database.
--
-- Two placeholders. For ${table} createSchema puts the name in quotes, "tenure_lease", behind the schema where one is set,
-- "infra"."leases"; for ${index} the name of the table with _forget_at behind it, without the schema: "tenure_lease_forget_at"
CREATE TABLE IF NOT EXISTS ${table} (
  name        text COLLATE "C" NOT NULL PRIMARY KEY,
  kind        text NOT NULL,             -- ELECTION or LOCK: what it was last acquired for
  holder      text COLLATE "C" NOT NULL, -- who has it, or had it last
  incarnation text COLLATE "C" NOT NULL,
  attempt     bigint NOT NULL,
  token       bigint NOT NULL,           -- the holder's
  counter     bigint NOT NULL,           -- the highest that was ever minted: above token after a forced release
  expires_at  timestamptz,               -- null: released
  forget_at   timestamptz,               -- null: never
  waiters     text COLLATE "C" NOT NULL, -- incarnation-until#..., until in microseconds of the epoch
  version     bigint NOT NULL
) WITH (fillfactor = 50); -- room for new versions of a row beside it: updates then leave the indexes alone

CREATE INDEX IF NOT EXISTS ${index} ON ${table} (forget_at) WHERE forget_at IS NOT NULL;
