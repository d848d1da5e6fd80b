-- The journal on Postgres. Times are microseconds since the Unix epoch, ids are UUIDv7, hashes are SHA-256.

-- The log itself. Nobody changes or deletes a row, see the triggers.
CREATE TABLE event (
    match_id      uuid    NOT NULL,
    seq           integer NOT NULL CHECK (seq >= 1),
    recorded_time bigint  NOT NULL,
    clock         bigint  NOT NULL CHECK (clock >= 1),
    lane          bigint  NOT NULL CHECK (lane >= 1),
    no            bigint  NOT NULL CHECK (no >= 1),
    kind          integer NOT NULL CHECK (kind BETWEEN 1 AND 65535),
    request_hash  bytea            CHECK (octet_length(request_hash) = 32),
    hash          bytea   NOT NULL CHECK (octet_length(hash) = 32),
    public        bytea   NOT NULL CHECK (octet_length(public) <= 4194304),
    sealed        bytea            CHECK (octet_length(sealed) <= 65536),
    sealed_hash   bytea            CHECK (octet_length(sealed_hash) = 32),
    CHECK ((sealed IS NULL) = (sealed_hash IS NULL)),
    PRIMARY KEY (match_id, seq)
);

-- The directory: a projection of the log that changes at create, claim, rotate, start and end.
CREATE TABLE match (
    match_id            uuid    NOT NULL PRIMARY KEY,
    owner               text    NOT NULL CHECK (char_length(owner) <= 200),
    create_request_hash bytea            CHECK (octet_length(create_request_hash) = 32),
    game                text    NOT NULL CHECK (char_length(game) BETWEEN 1 AND 64),
    status              text    NOT NULL CHECK (status IN ('open', 'running', 'over')),
    visibility          text    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    created_time        bigint  NOT NULL,
    started_time        bigint,
    ended_time          bigint,
    seat_0_player       text             CHECK (char_length(seat_0_player) BETWEEN 1 AND 40),
    seat_0_token_hash   bytea            CHECK (octet_length(seat_0_token_hash) = 32),
    seat_0_generation   bigint  NOT NULL CHECK (seat_0_generation BETWEEN 0 AND 4294967295),
    seat_1_player       text             CHECK (char_length(seat_1_player) BETWEEN 1 AND 40),
    seat_1_token_hash   bytea            CHECK (octet_length(seat_1_token_hash) = 32),
    seat_1_generation   bigint  NOT NULL CHECK (seat_1_generation BETWEEN 0 AND 4294967295),
    winner              smallint         CHECK (winner IN (0, 1)),
    reason              text             CHECK (char_length(reason) BETWEEN 1 AND 64),
    parent_match_id     uuid,
    parent_seq          integer          CHECK (parent_seq >= 1),
    CHECK ((parent_match_id IS NULL) = (parent_seq IS NULL)),
    CHECK ((status = 'over') = (ended_time IS NOT NULL)),
    CONSTRAINT match_create_request UNIQUE (owner, create_request_hash)
);

CREATE INDEX match_by_status ON match (status, match_id);
CREATE INDEX match_by_game ON match (game, match_id);
CREATE INDEX match_by_seat_0 ON match (seat_0_player, match_id);
CREATE INDEX match_by_seat_1 ON match (seat_1_player, match_id);

-- What is due: at most one row a match, none for a match without clocks.
CREATE TABLE deadline (
    match_id uuid    NOT NULL PRIMARY KEY,
    seq      integer NOT NULL CHECK (seq >= 1),
    due      bigint  NOT NULL
);

CREATE INDEX deadline_by_due ON deadline (due);

-- Every start of a replica opens new lanes. `closed` is the number of the closing commit.
CREATE TABLE lane (
    lane    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    replica uuid   NOT NULL,
    opened  bigint NOT NULL,
    closed  bigint          CHECK (closed >= 1)
);

CREATE INDEX lane_open ON lane (lane) WHERE closed IS NULL;

-- What was committed, redacted, for other replicas to read. Not the log: old rows go, but never a lane's last.
CREATE TABLE commit_log (
    lane  bigint  NOT NULL CHECK (lane >= 1),
    no    bigint  NOT NULL CHECK (no >= 1),
    clock bigint  NOT NULL CHECK (clock >= 1),
    count integer NOT NULL CHECK (count BETWEEN 0 AND 65535),
    body  bytea   NOT NULL CHECK (octet_length(body) BETWEEN 1 AND 8388608),
    PRIMARY KEY (lane, no)
);

-- Bodies are mostly hashes: compressing them costs time and gains little.
ALTER TABLE commit_log ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE INDEX commit_log_by_clock ON commit_log (clock);

-- The fingerprint of the service key that this database belongs to: one row at most.
CREATE TABLE service_key (
    one_row     boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one_row),
    fingerprint bytea   NOT NULL CHECK (octet_length(fingerprint) = 32)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
