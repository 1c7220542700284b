-- Fences: for each name its mark, and the token that was announced before the mark could be raised to it.
CREATE TABLE IF NOT EXISTS tenure_fence (
    name  text COLLATE "C" NOT NULL,
    part  text COLLATE "C" NOT NULL CHECK (part IN ('announced', 'mark')),
    token bigint NOT NULL,
    PRIMARY KEY (name, part)
)
