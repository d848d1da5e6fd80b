-- All events after a place in the feed whose clocks are not above $4.
SELECT clock, match_id, seq, recorded_time, kind, hash, public, sealed_hash
FROM event
WHERE (clock, match_id, seq) > ($1, $2, $3) AND clock <= $4
ORDER BY clock, match_id, seq
LIMIT $5
