-- Finished matches whose logs were moved to the archive. The log stays append-only, with one exception:
-- events may be deleted in a transaction that says so, and only those of matches that `archived_match` names.

-- Files of the archive. One that is being written may be discarded; an archived one stays forever.
CREATE TABLE archive_segment (
    segment_id uuid   NOT NULL PRIMARY KEY,
    state      text   NOT NULL CHECK (state IN ('writing', 'archived')),
    start_time bigint NOT NULL,
    matches    bigint          CHECK (matches >= 1),
    events     bigint          CHECK (events >= 1),
    bytes      bigint          CHECK (bytes >= 1),
    CHECK ((state = 'archived') = (matches IS NOT NULL AND events IS NOT NULL AND bytes IS NOT NULL))
);

-- Each archived match: its segment and its last event, whose hash covers the whole log.
CREATE TABLE archived_match (
    match_id   uuid             NOT NULL PRIMARY KEY,
    segment_id uuid             NOT NULL,
    seq        positive_integer NOT NULL,
    hash       sha256_hash      NOT NULL
);

-- The last position in the feed whose event was deleted; at most one row. A reader that is not past it would
-- miss events.
CREATE TABLE archive_horizon (
    one_row  boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one_row),
    position bytea   NOT NULL CHECK (octet_length(position) = 28)
);

-- Only a finished match can be archived, with the last event that it really has.
CREATE FUNCTION check_archived_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM match m WHERE m.match_id = NEW.match_id AND m.status = 'over')
        OR NOT EXISTS (SELECT FROM event e
                       WHERE e.match_id = NEW.match_id AND e.seq = NEW.seq AND e.hash = NEW.hash)
        OR EXISTS (SELECT FROM event e WHERE e.match_id = NEW.match_id AND e.seq > NEW.seq) THEN
        RAISE EXCEPTION 'the event log is append-only: the match is not over, or has another last event'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER archived_match_is_checked BEFORE INSERT ON archived_match
    FOR EACH ROW EXECUTE FUNCTION check_archived_match();

CREATE TRIGGER archived_match_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archived_match
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_archive_segment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'archived' THEN
        RAISE EXCEPTION 'an archived segment stays: % refused', TG_OP
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER archive_segment_stays BEFORE UPDATE OR DELETE ON archive_segment
    FOR EACH ROW EXECUTE FUNCTION check_archive_segment();

-- A deletion that nobody announced is refused before it looks at a row.
CREATE FUNCTION refuse_unannounced_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('matchbook.archiving', true), '') <> 'on' THEN
        RAISE EXCEPTION 'the event log is append-only: DELETE refused'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

-- Of what is deleted, every event belongs to an archived match.
CREATE FUNCTION refuse_unarchived_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM (SELECT DISTINCT match_id FROM deleted) AS gone
               LEFT JOIN archived_match a ON a.match_id = gone.match_id
               WHERE a.match_id IS NULL) THEN
        RAISE EXCEPTION 'the event log is append-only: DELETE of a match that is not archived refused'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

DROP TRIGGER event_is_append_only ON event;

CREATE TRIGGER event_is_append_only BEFORE UPDATE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER event_delete_is_announced BEFORE DELETE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_unannounced_delete();

CREATE TRIGGER event_delete_is_archived AFTER DELETE ON event REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_unarchived_delete();
