-- Fences: for each name its mark, and the token that was announced before the mark could be raised to it. Names are bytes
-- of UTF-8: a database may have been set to ignore case.
--
-- There are no placeholders: createSchema puts schema.table, where they are set, in the place of the name below.
CREATE TABLE IF NOT EXISTS tenure_fence (
    name  VARBINARY(512) NOT NULL,
    part  VARCHAR(9) NOT NULL,
    token BIGINT NOT NULL,
    PRIMARY KEY (name, part)
);
