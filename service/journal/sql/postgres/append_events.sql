-- One batch of events that change no other row: the usual one. commit_log is the main statement, as in append.sql.
WITH written AS (
    INSERT INTO event (match_id, seq, recorded_time, clock, lane, no, kind, request_hash, hash, public, sealed, sealed_hash)
    SELECT e.match_id, e.seq, e.recorded_time, $3, $1, $2, e.kind, e.request_hash, e.hash, e.public, e.sealed, e.sealed_hash
    FROM unnest($6::uuid[], $7::integer[], $8::bigint[], $9::integer[], $10::bytea[], $11::bytea[], $12::bytea[],
                $13::bytea[], $14::bytea[])
        AS e (match_id, seq, recorded_time, kind, request_hash, hash, public, sealed, sealed_hash)
)
INSERT INTO commit_log (lane, no, clock, count, body) VALUES ($1, $2, $3, $4, $5)
