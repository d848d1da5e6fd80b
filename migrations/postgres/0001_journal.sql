-- The journal on Postgres. Times are microseconds since the Unix epoch, ids are UUIDv7, hashes are SHA-256.

-- The bounds of the columns that every batch writes. Postgres parses a table's CHECK constraints in each
-- statement that inserts into it, which took most of the time of a small batch. It keeps those of domains.
CREATE DOMAIN positive_integer AS integer CHECK (VALUE >= 1);
CREATE DOMAIN positive_bigint AS bigint CHECK (VALUE >= 1);
CREATE DOMAIN sha256_hash AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN event_kind AS integer CHECK (VALUE BETWEEN 1 AND 65535);
CREATE DOMAIN seat_set AS smallint CHECK (VALUE BETWEEN 0 AND 255);
CREATE DOMAIN public_part AS bytea CHECK (octet_length(VALUE) <= 4194304);
CREATE DOMAIN sealed_part AS bytea CHECK (octet_length(VALUE) <= 65536);
CREATE DOMAIN event_count AS integer CHECK (VALUE BETWEEN 0 AND 65535);
CREATE DOMAIN commit_body AS bytea CHECK (octet_length(VALUE) BETWEEN 1 AND 8388608);

-- The log of every match. Append-only: see the trigger at the end. `hlc` (hybrid logical clock), `writer` and
-- `batch` name the commit that wrote the event. `to_act` is not part of the log: a match's newest event has
-- the seats to act after it, as a set of bits, so that a list finds them and no move updates a row.
CREATE TABLE event (
    match_id      uuid             NOT NULL,
    seq           positive_integer NOT NULL,
    record_time   bigint           NOT NULL,
    hlc           positive_bigint  NOT NULL,
    writer        positive_bigint  NOT NULL,
    batch         positive_bigint  NOT NULL,
    kind          event_kind       NOT NULL,
    to_act        seat_set,
    request_hash  sha256_hash,
    hash          sha256_hash      NOT NULL,
    public        public_part      NOT NULL,
    sealed        sealed_part,
    sealed_hash   sha256_hash,
    CHECK (sealed IS NULL OR sealed_hash IS NOT NULL),
    PRIMARY KEY (match_id, seq)
);

-- The feed reads all events by hlc. A batch has one hlc, so entries are small and inserted at the end of the
-- index.
CREATE INDEX event_by_hlc ON event (hlc);

-- The directory: a projection of the log that changes when a match is created, claimed, started or over, and
-- when a seat's token is rotated. `ranks` has a byte for each seat in order, 1 for the best rank; seats that
-- tied have the same one.
CREATE TABLE match (
    match_id            uuid    NOT NULL PRIMARY KEY,
    owner               text    NOT NULL CHECK (char_length(owner) <= 200),
    create_request_hash bytea            CHECK (octet_length(create_request_hash) = 32),
    external_id         text             CHECK (char_length(external_id) BETWEEN 1 AND 128),
    labels_hash         bytea            CHECK (octet_length(labels_hash) = 32),
    game                text    NOT NULL CHECK (char_length(game) BETWEEN 1 AND 64),
    status              text    NOT NULL CHECK (status IN ('open', 'running', 'over')),
    visibility          text    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    create_time         bigint  NOT NULL,
    start_time          bigint,
    end_time            bigint,
    seat_count          smallint NOT NULL CHECK (seat_count BETWEEN 1 AND 8),
    outcome             text             CHECK (outcome IN ('win', 'draw', 'none')),
    ranks               bytea            CHECK (octet_length(ranks) = seat_count),
    reason              text             CHECK (char_length(reason) BETWEEN 1 AND 64),
    parent_match_id     uuid,
    parent_seq          integer          CHECK (parent_seq >= 1),
    CHECK ((parent_match_id IS NULL) = (parent_seq IS NULL)),
    CHECK ((status = 'over') = (end_time IS NOT NULL)),
    CHECK ((ranks IS NOT NULL) = (coalesce(outcome, 'none') <> 'none')),
    CONSTRAINT match_create_request UNIQUE (owner, create_request_hash),
    CONSTRAINT match_external_id UNIQUE (owner, external_id)
);

-- Lists are sorted by creation time, newest first. Each filter has an index in that order, so a page is one
-- index range. Each index begins with what a caller may see, visibility or owner: no list reads entries of
-- other matches.
CREATE INDEX match_by_visibility_created ON match (visibility, create_time, match_id);
CREATE INDEX match_by_visibility_status_created ON match (visibility, status, create_time, match_id);
CREATE INDEX match_by_visibility_game_created ON match (visibility, game, create_time, match_id);
CREATE INDEX match_by_owner_created ON match (owner, create_time, match_id);
CREATE INDEX match_by_owner_status_created ON match (owner, status, create_time, match_id);

-- The claimed seats of each match. A row is inserted when its seat is claimed; a rotation of the token
-- changes token and generation alone. Salt, name and id can be erased: they stand here and nowhere else, and
-- the claim's event has only a hash of salt and name. `owner`, `visibility` and `create_time` are the match's
-- and never change: the indexes need them.
CREATE TABLE match_seat (
    match_id     uuid     NOT NULL,
    seat         smallint NOT NULL CHECK (seat BETWEEN 0 AND 7),
    owner        text     NOT NULL,
    visibility   text     NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    create_time  bigint   NOT NULL,
    token_hash   bytea    NOT NULL CHECK (octet_length(token_hash) = 32),
    generation   bigint   NOT NULL CHECK (generation BETWEEN 1 AND 4294967295),
    salt         bytea             CHECK (octet_length(salt) = 32),
    display_name text              CHECK (char_length(display_name) BETWEEN 1 AND 40),
    player_id    text              CHECK (char_length(player_id) BETWEEN 1 AND 64),
    CHECK ((salt IS NULL) = (display_name IS NULL)),
    CHECK (player_id IS NULL OR display_name IS NOT NULL),
    PRIMARY KEY (match_id, seat)
);

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
    match_id    uuid   NOT NULL,
    key         text   NOT NULL CHECK (char_length(key) BETWEEN 1 AND 63),
    value       text   NOT NULL CHECK (char_length(value) <= 128),
    owner       text   NOT NULL CHECK (char_length(owner) BETWEEN 1 AND 200),
    create_time bigint NOT NULL,
    PRIMARY KEY (match_id, key)
);

CREATE INDEX match_label_by_created ON match_label (owner, key, value, create_time, match_id);

-- The next deadline of each match; no row for a match without game clocks.
CREATE TABLE deadline (
    match_id uuid    NOT NULL PRIMARY KEY,
    seq      integer NOT NULL CHECK (seq >= 1),
    due      bigint  NOT NULL
);

CREATE INDEX deadline_by_due ON deadline (due);

-- A replica opens new writers whenever it starts. `closing_batch` is the number of the commit that closed the
-- writer.
CREATE TABLE writer (
    writer        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    replica       uuid   NOT NULL,
    opened_hlc    bigint NOT NULL,
    closing_batch bigint          CHECK (closing_batch >= 1)
);

CREATE INDEX writer_open ON writer (writer) WHERE closing_batch IS NULL;

-- What each batch changed, without secrets, for other replicas to read. Old rows are pruned, except a
-- writer's last.
CREATE TABLE commit_log (
    writer positive_bigint NOT NULL,
    batch  positive_bigint NOT NULL,
    hlc    positive_bigint NOT NULL,
    count  event_count     NOT NULL,
    body   commit_body     NOT NULL,
    PRIMARY KEY (writer, batch)
);

-- Bodies are mostly hashes, which don't compress.
ALTER TABLE commit_log ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE INDEX commit_log_by_hlc ON commit_log (hlc);

-- The service that this database belongs to: the fingerprint of its key, its name, and its
-- name before the key was last changed; at most one row.
CREATE TABLE service_key (
    one_row       boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one_row),
    fingerprint   bytea   NOT NULL CHECK (octet_length(fingerprint) = 32),
    name          text    NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
    previous_name text             CHECK (char_length(previous_name) BETWEEN 1 AND 64)
);

-- Webhooks: where an API key's events are sent. No secret is stored: secrets derive from the service key,
-- the webhook and `secret_generation`. `slot` bounds how many webhooks an owner has. `position` is the place
-- in the feed up to which everything was delivered or is in `webhook_delivery`. One replica delivers for a
-- webhook, the holder of its lease; `lease_epoch` grows with each new holder and fences the earlier ones.
CREATE TABLE webhook (
    webhook_id        uuid     NOT NULL PRIMARY KEY,
    owner             text     NOT NULL CHECK (char_length(owner) BETWEEN 1 AND 200),
    slot              smallint NOT NULL CHECK (slot >= 0),
    url               text     NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 2048),
    kinds             text     NOT NULL CHECK (char_length(kinds) <= 512),
    state             text     NOT NULL CHECK (state IN ('enabled', 'disabled', 'gone', 'dead_letters')),
    key_fingerprint   bytea    NOT NULL CHECK (octet_length(key_fingerprint) = 32),
    secret_generation bigint   NOT NULL CHECK (secret_generation BETWEEN 1 AND 4294967295),
    rotate_time       bigint,
    create_time       bigint   NOT NULL,
    revision          bigint   NOT NULL CHECK (revision >= 1),
    position          bytea    NOT NULL CHECK (octet_length(position) = 28),
    lease_holder      uuid,
    lease_epoch       bigint   NOT NULL DEFAULT 0,
    lease_until       bigint   NOT NULL DEFAULT 0,
    CONSTRAINT webhook_slot UNIQUE (owner, slot)
);

-- An owner's webhooks in the order of lists.
CREATE INDEX webhook_by_owner ON webhook (owner, webhook_id);

-- Events that a webhook has not taken: `pending` ones are sent again, `dead` ones only when the owner asks.
-- `position` is the event's place in the feed and sorts like it.
CREATE TABLE webhook_delivery (
    webhook_id  uuid    NOT NULL REFERENCES webhook ON DELETE CASCADE,
    position    bytea   NOT NULL CHECK (octet_length(position) = 28),
    kind        integer NOT NULL CHECK (kind BETWEEN 1 AND 65535),
    status      text    NOT NULL CHECK (status IN ('pending', 'dead')),
    attempts    bigint  NOT NULL CHECK (attempts BETWEEN 0 AND 4294967295),
    create_time bigint  NOT NULL,
    next_time   bigint  NOT NULL,
    failure     text    NOT NULL CHECK (char_length(failure) <= 200),
    PRIMARY KEY (webhook_id, position)
);

CREATE INDEX webhook_delivery_by_status ON webhook_delivery (webhook_id, status, position);

-- Replaces all labels of a match. Of concurrent calls the last one wins as a whole: they wait for each other
-- without a lock on the match's row, which writers need. The change is durable whatever the session's
-- default.
CREATE FUNCTION set_match_labels(labelled uuid, keys text[], label_values text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM pg_advisory_xact_lock(hashtextextended(labelled::text, 0));
    DELETE FROM match_label WHERE match_id = labelled;
    INSERT INTO match_label (match_id, key, value, owner, create_time)
    SELECT labelled, new_label.key, new_label.value, m.owner, m.create_time
    FROM unnest(keys, label_values) AS new_label (key, value), match m
    WHERE m.match_id = labelled;
END
$$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
