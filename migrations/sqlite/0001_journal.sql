-- The journal on SQLite. Times are microseconds since the Unix epoch, ids are UUIDv7 as 16 bytes, hashes are
-- SHA-256.

-- The log of every match. Append-only: see the triggers at the end. `hlc` (hybrid logical clock), `writer`
-- and `batch` name the commit that wrote the event. `to_act` is not part of the log: a match's newest event
-- has the seats to act after it, as a set of bits, so that a list finds them and no move updates a row.
CREATE TABLE event (
    match_id      BLOB    NOT NULL CHECK (length(match_id) = 16),
    seq           INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 2147483647),
    record_time   INTEGER NOT NULL,
    hlc           INTEGER NOT NULL CHECK (hlc >= 1),
    writer        INTEGER NOT NULL CHECK (writer >= 1),
    batch         INTEGER NOT NULL CHECK (batch >= 1),
    kind          INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 65535),
    to_act        INTEGER          CHECK (to_act BETWEEN 0 AND 255),
    request_hash  BLOB             CHECK (length(request_hash) = 32),
    hash          BLOB    NOT NULL CHECK (length(hash) = 32),
    public        BLOB    NOT NULL CHECK (length(public) <= 4194304),
    sealed        BLOB             CHECK (length(sealed) <= 65536),
    sealed_hash   BLOB             CHECK (length(sealed_hash) = 32),
    CHECK (sealed IS NULL OR sealed_hash IS NOT NULL),
    PRIMARY KEY (match_id, seq)
) STRICT;

-- The feed reads all events by hlc. A batch has one hlc, so entries are small and inserted at the end of the
-- index.
CREATE INDEX event_by_hlc ON event (hlc);

-- The directory: a projection of the log that changes when a match is created, claimed, started or over, and
-- when a seat's token is rotated. `ranks` has a byte for each seat in order, 1 for the best rank; seats that
-- tied have the same one.
CREATE TABLE "match" (
    match_id            BLOB    NOT NULL PRIMARY KEY CHECK (length(match_id) = 16),
    owner               TEXT    NOT NULL CHECK (length(owner) <= 200),
    create_request_hash BLOB             CHECK (length(create_request_hash) = 32),
    external_id         TEXT             CHECK (length(external_id) BETWEEN 1 AND 128),
    labels_hash         BLOB             CHECK (length(labels_hash) = 32),
    game                TEXT    NOT NULL CHECK (length(game) BETWEEN 1 AND 64),
    status              TEXT    NOT NULL CHECK (status IN ('open', 'running', 'over')),
    visibility          TEXT    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    create_time         INTEGER NOT NULL,
    start_time          INTEGER,
    end_time            INTEGER,
    seat_count          INTEGER NOT NULL CHECK (seat_count BETWEEN 1 AND 8),
    outcome             TEXT             CHECK (outcome IN ('win', 'draw', 'none')),
    ranks               BLOB             CHECK (length(ranks) = seat_count),
    reason              TEXT             CHECK (length(reason) BETWEEN 1 AND 64),
    parent_match_id     BLOB             CHECK (length(parent_match_id) = 16),
    parent_seq          INTEGER          CHECK (parent_seq >= 1),
    CHECK ((parent_match_id IS NULL) = (parent_seq IS NULL)),
    CHECK ((status = 'over') = (end_time IS NOT NULL)),
    CHECK ((ranks IS NOT NULL) = (coalesce(outcome, 'none') <> 'none')),
    CONSTRAINT match_create_request UNIQUE (owner, create_request_hash),
    CONSTRAINT match_external_id UNIQUE (owner, external_id)
) STRICT;

-- Lists are sorted by creation time, newest first. Each filter has an index in that order, so a page is one
-- index range. Each index begins with what a caller may see, visibility or owner: no list reads entries of
-- other matches.
CREATE INDEX match_by_visibility_created ON "match" (visibility, create_time, match_id);
CREATE INDEX match_by_visibility_status_created ON "match" (visibility, status, create_time, match_id);
CREATE INDEX match_by_visibility_game_created ON "match" (visibility, game, create_time, match_id);
CREATE INDEX match_by_owner_created ON "match" (owner, create_time, match_id);
CREATE INDEX match_by_owner_status_created ON "match" (owner, status, create_time, match_id);

-- The claimed seats of each match. A row is inserted when its seat is claimed; a rotation of the token
-- changes token and generation alone. Salt, name and id can be erased: they stand here and nowhere else, and
-- the claim's event has only a hash of salt and name. `owner`, `visibility` and `create_time` are the match's
-- and never change: the indexes need them.
CREATE TABLE match_seat (
    match_id     BLOB    NOT NULL CHECK (length(match_id) = 16),
    seat         INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 7),
    owner        TEXT    NOT NULL,
    visibility   TEXT    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    create_time  INTEGER NOT NULL,
    token_hash   BLOB    NOT NULL CHECK (length(token_hash) = 32),
    generation   INTEGER NOT NULL CHECK (generation BETWEEN 1 AND 4294967295),
    salt         BLOB             CHECK (length(salt) = 32),
    display_name TEXT             CHECK (length(display_name) BETWEEN 1 AND 40),
    player_id    TEXT             CHECK (length(player_id) BETWEEN 1 AND 64),
    CHECK ((salt IS NULL) = (display_name IS NULL)),
    CHECK (player_id IS NULL OR display_name IS NOT NULL),
    PRIMARY KEY (match_id, seat)
) STRICT;

-- A player's matches, in the order of lists. A player's id belongs to the owner that gave it.
CREATE INDEX match_seat_by_visibility_name ON match_seat (visibility, display_name, create_time, match_id)
    WHERE display_name IS NOT NULL;
CREATE INDEX match_seat_by_owner_name ON match_seat (owner, display_name, create_time, match_id)
    WHERE display_name IS NOT NULL;
CREATE INDEX match_seat_by_player_id ON match_seat (owner, player_id, create_time, match_id)
    WHERE player_id IS NOT NULL;

-- Labels of matches. A match's owner changes them at any time; the log and the row in `match` stay. Owner and
-- creation time are the match's, so that the index lists the matches of a label in the directory's order.
CREATE TABLE match_label (
    match_id    BLOB    NOT NULL CHECK (length(match_id) = 16),
    key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 63),
    value       TEXT    NOT NULL CHECK (length(value) <= 128),
    owner       TEXT    NOT NULL CHECK (length(owner) BETWEEN 1 AND 200),
    create_time INTEGER NOT NULL,
    PRIMARY KEY (match_id, key)
) STRICT;

CREATE INDEX match_label_by_created ON match_label (owner, key, value, create_time, match_id);

-- The next deadline of each match; no row for a match without game clocks.
CREATE TABLE deadline (
    match_id BLOB    NOT NULL PRIMARY KEY CHECK (length(match_id) = 16),
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    due      INTEGER NOT NULL
) STRICT;

CREATE INDEX deadline_by_due ON deadline (due);

-- A process opens a new writer whenever it starts. `closing_batch` is the number of the commit that closed
-- the writer.
CREATE TABLE writer (
    writer        INTEGER PRIMARY KEY AUTOINCREMENT,
    replica       BLOB    NOT NULL CHECK (length(replica) = 16),
    opened_hlc    INTEGER NOT NULL,
    closing_batch INTEGER CHECK (closing_batch >= 1)
) STRICT;

-- What each batch changed, without secrets. Old rows are pruned, except a writer's last.
CREATE TABLE commit_log (
    writer INTEGER NOT NULL CHECK (writer >= 1),
    batch  INTEGER NOT NULL CHECK (batch >= 1),
    hlc    INTEGER NOT NULL CHECK (hlc >= 1),
    count  INTEGER NOT NULL CHECK (count BETWEEN 0 AND 65535),
    body   BLOB    NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
    PRIMARY KEY (writer, batch)
) STRICT;

CREATE INDEX commit_log_by_hlc ON commit_log (hlc);

-- The service that this database belongs to: the fingerprint of its key, its name, and its
-- name before the key was last changed; at most one row.
CREATE TABLE service_key (
    one_row       INTEGER NOT NULL DEFAULT 1 PRIMARY KEY CHECK (one_row = 1),
    fingerprint   BLOB  NOT NULL CHECK (length(fingerprint) = 32),
    name          TEXT  NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    previous_name TEXT           CHECK (length(previous_name) BETWEEN 1 AND 64)
) STRICT;

-- Webhooks: where an API key's events are sent. No secret is stored: secrets derive from the service key,
-- the webhook and `secret_generation`. `slot` bounds how many webhooks an owner has. `position` is the place
-- in the feed up to which everything was delivered or is in `webhook_delivery`. One replica delivers for a
-- webhook, the holder of its lease; `lease_epoch` grows with each new holder and fences the earlier ones.
CREATE TABLE webhook (
    webhook_id        BLOB    NOT NULL PRIMARY KEY CHECK (length(webhook_id) = 16),
    owner             TEXT    NOT NULL CHECK (length(owner) BETWEEN 1 AND 200),
    slot              INTEGER NOT NULL CHECK (slot >= 0),
    url               TEXT    NOT NULL CHECK (length(CAST(url AS BLOB)) BETWEEN 1 AND 2048),
    kinds             TEXT    NOT NULL CHECK (length(kinds) <= 512),
    state             TEXT    NOT NULL CHECK (state IN ('enabled', 'disabled', 'gone', 'dead_letters')),
    key_fingerprint   BLOB    NOT NULL CHECK (length(key_fingerprint) = 32),
    secret_generation INTEGER NOT NULL CHECK (secret_generation BETWEEN 1 AND 4294967295),
    rotate_time       INTEGER,
    create_time       INTEGER NOT NULL,
    revision          INTEGER NOT NULL CHECK (revision >= 1),
    position          BLOB    NOT NULL CHECK (length(position) = 28),
    lease_holder      BLOB,
    lease_epoch       INTEGER NOT NULL DEFAULT 0,
    lease_until       INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT webhook_slot UNIQUE (owner, slot)
) STRICT;

-- An owner's webhooks in the order of lists.
CREATE INDEX webhook_by_owner ON webhook (owner, webhook_id);

-- Events that a webhook has not taken: `pending` ones are sent again, `dead` ones only when the owner asks.
-- `position` is the event's place in the feed and sorts like it.
CREATE TABLE webhook_delivery (
    webhook_id  BLOB    NOT NULL REFERENCES webhook ON DELETE CASCADE,
    position    BLOB    NOT NULL CHECK (length(position) = 28),
    kind        INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 65535),
    status      TEXT    NOT NULL CHECK (status IN ('pending', 'dead')),
    attempts    INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND 4294967295),
    create_time INTEGER NOT NULL,
    next_time   INTEGER NOT NULL,
    failure     TEXT    NOT NULL CHECK (length(failure) <= 200),
    PRIMARY KEY (webhook_id, position)
) STRICT;

CREATE INDEX webhook_delivery_by_status ON webhook_delivery (webhook_id, status, position);

CREATE TRIGGER event_refuses_update BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: UPDATE refused');
END;

CREATE TRIGGER event_refuses_delete BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: DELETE refused');
END;

-- INSERT OR REPLACE deletes rows without firing the DELETE trigger.
CREATE TRIGGER event_refuses_replacement BEFORE INSERT ON event
WHEN EXISTS (SELECT 1 FROM event WHERE match_id = NEW.match_id AND seq = NEW.seq)
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only: event.match_id, event.seq are taken');
END;
