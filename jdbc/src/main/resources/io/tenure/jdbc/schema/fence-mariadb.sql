-- Fences: for each name its mark, and the token that was announced before the mark could be raised to it. Names are bytes
-- of UTF-8: collations take different names for one, or pad them with blanks. Rows are locked, which only InnoDB does.
--
-- There are no placeholders: createSchema puts schema.table, where they are set, in the place of the name below.
CREATE TABLE IF NOT EXISTS tenure_fence (
    name  VARBINARY(512) NOT NULL,
    part  VARCHAR(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token BIGINT NOT NULL,
    PRIMARY KEY (name, part)
) ENGINE = InnoDB;
