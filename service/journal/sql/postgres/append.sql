-- One batch. commit_log is the main statement, so its key is checked before anything else is written.
WITH written AS (
    INSERT INTO event (match_id, seq, recorded_time, clock, lane, no, kind, request_hash, hash, public, sealed, sealed_hash)
    SELECT e.match_id, e.seq, e.recorded_time, $3, $1, $2, e.kind, e.request_hash, e.hash, e.public, e.sealed, e.sealed_hash
    FROM unnest($6::uuid[], $7::integer[], $8::bigint[], $9::integer[], $10::bytea[], $11::bytea[], $12::bytea[],
                $13::bytea[], $14::bytea[])
        AS e (match_id, seq, recorded_time, kind, request_hash, hash, public, sealed, sealed_hash)
), projected AS (
    INSERT INTO match (match_id, owner, create_request_hash, game, status, visibility, created_time, started_time,
                       ended_time, seat_0_player, seat_0_token_hash, seat_0_generation, seat_1_player,
                       seat_1_token_hash, seat_1_generation, winner, reason, parent_match_id, parent_seq)
    SELECT m.*
    FROM unnest($15::uuid[], $16::text[], $17::bytea[], $18::text[], $19::text[], $20::text[], $21::bigint[],
                $22::bigint[], $23::bigint[], $24::text[], $25::bytea[], $26::bigint[], $27::text[], $28::bytea[],
                $29::bigint[], $30::smallint[], $31::text[], $32::uuid[], $33::integer[]) AS m
    ON CONFLICT (match_id) DO UPDATE SET
        owner = excluded.owner, create_request_hash = excluded.create_request_hash, game = excluded.game,
        status = excluded.status, visibility = excluded.visibility, created_time = excluded.created_time,
        started_time = excluded.started_time, ended_time = excluded.ended_time,
        seat_0_player = excluded.seat_0_player, seat_0_token_hash = excluded.seat_0_token_hash,
        seat_0_generation = excluded.seat_0_generation, seat_1_player = excluded.seat_1_player,
        seat_1_token_hash = excluded.seat_1_token_hash, seat_1_generation = excluded.seat_1_generation,
        winner = excluded.winner, reason = excluded.reason, parent_match_id = excluded.parent_match_id,
        parent_seq = excluded.parent_seq
), timed AS (
    INSERT INTO deadline (match_id, seq, due)
    SELECT d.* FROM unnest($34::uuid[], $35::integer[], $36::bigint[]) AS d
    ON CONFLICT (match_id) DO UPDATE SET seq = excluded.seq, due = excluded.due
), untimed AS (
    DELETE FROM deadline WHERE match_id = ANY ($37::uuid[])
)
INSERT INTO commit_log (lane, no, clock, count, body) VALUES ($1, $2, $3, $4, $5)
