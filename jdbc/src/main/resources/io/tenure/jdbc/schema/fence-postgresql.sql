-- Fences: for each name its mark, and the token that was announced before the mark could be raised to it.
--
-- There are no placeholders: createSchema puts schema.table, where they are set, in the place of the name below.
CREATE TABLE IF NOT EXISTS tenure_fence (
    name  text COLLATE "C" NOT NULL,
    part  text COLLATE "C" NOT NULL CHECK (part IN ('announced', 'mark')),
    token bigint NOT NULL,
    PRIMARY KEY (name, part)
);
