-- Shards: the parts into which a database divides its matches. A SQLite file has one, 0; on Postgres there
-- may be more.
ALTER TABLE event ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "match" ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match_seat ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match_label ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deadline ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE commit_log ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE archived_match ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;

-- The shard into which a writer writes.
ALTER TABLE writer ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;

-- The number of shards; one row.
CREATE TABLE sharding (
    one_row INTEGER NOT NULL DEFAULT 1 PRIMARY KEY CHECK (one_row = 1),
    shards  INTEGER NOT NULL CHECK (shards = 1)
) STRICT;

INSERT INTO sharding (shards) VALUES (1);
