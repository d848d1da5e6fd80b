-- Shards: the parts into which a database divides its matches. A match's shard is its bucket (the last 10
-- bits of its id) modulo the number of shards. A database that exists has one shard, 0, and keeps its keys: a
-- column with one value would add nothing to them. shards.sql gives an empty database several.

-- Readers that hold one of these tables and wait for another must not end in a deadlock: give up, and be
-- retried, before Postgres looks for one, which it does after a second.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE event ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE match_seat ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE match_label ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE deadline ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE commit_log ADD COLUMN shard smallint NOT NULL DEFAULT 0;
ALTER TABLE archived_match ADD COLUMN shard smallint NOT NULL DEFAULT 0;

-- The shard into which a writer writes.
ALTER TABLE writer ADD COLUMN shard smallint NOT NULL DEFAULT 0;

-- The number of shards; one row. It never changes once a match may exist: the rows would not be found.
CREATE TABLE sharding (
    one_row boolean  NOT NULL DEFAULT true PRIMARY KEY CHECK (one_row),
    shards  smallint NOT NULL CHECK (shards BETWEEN 1 AND 1024)
);

INSERT INTO sharding (shards) VALUES (1);

-- Roles that may read some of the tables need the number to find rows in them.
GRANT SELECT ON sharding TO PUBLIC;

CREATE FUNCTION refuse_other_shards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the number of shards never changes: % refused', TG_OP
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER sharding_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON sharding
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_shards();
