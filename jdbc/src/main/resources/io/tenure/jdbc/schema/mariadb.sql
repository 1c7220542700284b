-- The table of leases on MariaDB 10.6 and later, and on MySQL 8.
--
-- One row a name. It stays when its lease is over, for the tokens: those of elections for ever, those of locks until
-- forget_at. Names and holders are bytes of UTF-8, so that no collation takes two of them for one. Times are in UTC.
--
-- Two placeholders. For ${table} createSchema puts the name in quotes, `tenure_lease`, behind the schema where one is set,
-- `infra`.`leases`; for ${index} the name of the table with _forget_at behind it, without the schema: `tenure_lease_forget_at`
CREATE TABLE IF NOT EXISTS ${table} (
  name        VARBINARY(512) NOT NULL,
  kind        VARCHAR(8) CHARACTER SET ascii NOT NULL, -- ELECTION or LOCK: what it was last acquired for
  holder      VARBINARY(1024) NOT NULL,                -- who has it, or had it last
  incarnation VARBINARY(255) NOT NULL,
  attempt     BIGINT NOT NULL,
  token       BIGINT NOT NULL,                         -- the holder's
  counter     BIGINT NOT NULL,                         -- the highest that was ever minted
  expires_at  DATETIME(6) NULL,                        -- null: released
  forget_at   DATETIME(6) NULL,                        -- null: never
  waiters     MEDIUMTEXT CHARACTER SET utf8mb4 NOT NULL,
  version     BIGINT NOT NULL,
  PRIMARY KEY (name),
  KEY ${index} (forget_at)
) ENGINE = InnoDB;
