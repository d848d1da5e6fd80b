-- Finished matches whose logs were moved to the archive. The log stays append-only, with one exception: the
-- events of matches that `archived_match` names may be deleted.

-- Files of the archive. One that is being written may be discarded; an archived one stays forever.
CREATE TABLE archive_segment (
    segment_id BLOB    NOT NULL PRIMARY KEY CHECK (length(segment_id) = 16),
    state      TEXT    NOT NULL CHECK (state IN ('writing', 'archived')),
    start_time INTEGER NOT NULL,
    matches    INTEGER          CHECK (matches >= 1),
    events     INTEGER          CHECK (events >= 1),
    bytes      INTEGER          CHECK (bytes >= 1),
    CHECK ((state = 'archived') = (matches IS NOT NULL AND events IS NOT NULL AND bytes IS NOT NULL))
) STRICT;

-- Each archived match: its segment and its last event, whose hash covers the whole log.
CREATE TABLE archived_match (
    match_id   BLOB    NOT NULL PRIMARY KEY CHECK (length(match_id) = 16),
    segment_id BLOB    NOT NULL CHECK (length(segment_id) = 16),
    seq        INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 2147483647),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The last position in the feed whose event was deleted; at most one row. A reader that is not past it would
-- miss events.
CREATE TABLE archive_horizon (
    one_row  INTEGER NOT NULL DEFAULT 1 PRIMARY KEY CHECK (one_row = 1),
    position BLOB    NOT NULL CHECK (length(position) = 28)
) STRICT;

-- Only a finished match can be archived, with the last event that it really has.
CREATE TRIGGER archived_match_is_checked BEFORE INSERT ON archived_match
WHEN NOT EXISTS (SELECT 1 FROM "match" WHERE match_id = NEW.match_id AND status = 'over')
    OR NOT EXISTS (SELECT 1 FROM event WHERE match_id = NEW.match_id AND seq = NEW.seq AND hash = NEW.hash)
    OR EXISTS (SELECT 1 FROM event WHERE match_id = NEW.match_id AND seq > NEW.seq)
    OR EXISTS (SELECT 1 FROM archived_match WHERE match_id = NEW.match_id)
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: the match is not over, or has another last event');
END;

CREATE TRIGGER archived_match_refuses_update BEFORE UPDATE ON archived_match
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: UPDATE refused');
END;

CREATE TRIGGER archived_match_refuses_delete BEFORE DELETE ON archived_match
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: DELETE refused');
END;

CREATE TRIGGER archive_segment_refuses_update BEFORE UPDATE ON archive_segment WHEN OLD.state = 'archived'
BEGIN
    SELECT RAISE(ABORT, 'an archived segment stays: UPDATE refused');
END;

CREATE TRIGGER archive_segment_refuses_delete BEFORE DELETE ON archive_segment WHEN OLD.state = 'archived'
BEGIN
    SELECT RAISE(ABORT, 'an archived segment stays: DELETE refused');
END;

DROP TRIGGER event_refuses_delete;

CREATE TRIGGER event_refuses_delete BEFORE DELETE ON event
WHEN NOT EXISTS (SELECT 1 FROM archived_match WHERE match_id = OLD.match_id)
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: DELETE refused');
END;
