-- Reads the number of shards, and the tables whose key does not suit it: with several shards `shard` is the
-- first column of each key, with one it is in none.
SELECT shards, ARRAY(
    SELECT keyed.name
    FROM unnest(ARRAY['event', 'match', 'match_seat', 'match_label', 'deadline', 'commit_log',
                      'archived_match']) AS keyed (name)
    WHERE (shards > 1) <> EXISTS (
        SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indrelid = to_regclass(quote_ident(keyed.name)) AND i.indisprimary AND a.attname = 'shard'))
FROM sharding
