-- Not a migration: gives an empty database several shards. `matchbookd migrate --shards` runs it in one
-- transaction, after the migrations. `shard` becomes the first column of the key of each table that has a
-- match's rows or a writer's commits, and of each unique constraint, so that these tables can be distributed
-- by it. `{shards}` is the number.

-- From now on each statement has to name a shard: a program that knows only one can't write.
ALTER TABLE event DROP CONSTRAINT event_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT event_pkey PRIMARY KEY (shard, match_id, seq);
ALTER TABLE match DROP CONSTRAINT match_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT match_pkey PRIMARY KEY (shard, match_id),
    DROP CONSTRAINT match_create_request,
    ADD CONSTRAINT match_create_request UNIQUE (shard, owner, create_request_hash),
    DROP CONSTRAINT match_external_id,
    ADD CONSTRAINT match_external_id UNIQUE (shard, owner, external_id);
ALTER TABLE match_seat DROP CONSTRAINT match_seat_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT match_seat_pkey PRIMARY KEY (shard, match_id, seat);
ALTER TABLE match_label DROP CONSTRAINT match_label_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT match_label_pkey PRIMARY KEY (shard, match_id, key);
ALTER TABLE deadline DROP CONSTRAINT deadline_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT deadline_pkey PRIMARY KEY (shard, match_id);
ALTER TABLE commit_log DROP CONSTRAINT commit_log_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT commit_log_pkey PRIMARY KEY (shard, writer, batch);
ALTER TABLE archived_match DROP CONSTRAINT archived_match_pkey, ALTER COLUMN shard DROP DEFAULT,
    ADD CONSTRAINT archived_match_pkey PRIMARY KEY (shard, match_id);
ALTER TABLE writer ALTER COLUMN shard DROP DEFAULT;

-- The shard of a match.
CREATE FUNCTION match_shard(match_id uuid) RETURNS smallint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ((((get_byte(uuid_send(match_id), 14) & 3) << 8) + get_byte(uuid_send(match_id), 15))
            % {shards})::smallint
$$;

-- Every shard.
CREATE FUNCTION all_shards() RETURNS smallint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT generate_series(0, {shards} - 1)::smallint)
$$;

-- The next three are those of one shard, by the new keys.
CREATE OR REPLACE FUNCTION set_match_labels(labelled uuid, keys text[], label_values text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM pg_advisory_xact_lock(hashtextextended(labelled::text, 0));
    DELETE FROM match_label WHERE shard = match_shard(labelled) AND match_id = labelled;
    INSERT INTO match_label (shard, match_id, key, value, owner, create_time)
    SELECT m.shard, labelled, new_label.key, new_label.value, m.owner, m.create_time
    FROM unnest(keys, label_values) AS new_label (key, value), match m
    WHERE m.shard = match_shard(labelled) AND m.match_id = labelled;
END
$$;

CREATE OR REPLACE FUNCTION check_archived_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM match m
                   WHERE m.shard = NEW.shard AND m.match_id = NEW.match_id AND m.status = 'over')
        OR NOT EXISTS (SELECT FROM event e
                       WHERE e.shard = NEW.shard AND e.match_id = NEW.match_id
                         AND e.seq = NEW.seq AND e.hash = NEW.hash)
        OR EXISTS (SELECT FROM event e
                   WHERE e.shard = NEW.shard AND e.match_id = NEW.match_id AND e.seq > NEW.seq) THEN
        RAISE EXCEPTION 'the event log is append-only: the match is not over, or has another last event'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION refuse_unarchived_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT DISTINCT shard, match_id FROM deleted) AS gone
               LEFT JOIN archived_match a ON a.shard = gone.shard AND a.match_id = gone.match_id
               WHERE a.match_id IS NULL) THEN
        RAISE EXCEPTION 'the event log is append-only: DELETE of a match that is not archived refused'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

ALTER TABLE sharding DISABLE TRIGGER sharding_stays;
UPDATE sharding SET shards = {shards};
ALTER TABLE sharding ENABLE TRIGGER sharding_stays;

-- Older programs read from the name that they can't work with these tables. The number follows every
-- migration's.
INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
VALUES (1000000, 'since 0003 several shards', true, '', 0);
