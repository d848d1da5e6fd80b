-- Reads all events after a cursor, up to hlc ?4.
SELECT hlc, match_id, seq, record_time, kind, hash, public, sealed_hash
FROM event
WHERE (hlc, match_id, seq) > (?1, ?2, ?3) AND hlc <= ?4
ORDER BY hlc, match_id, seq
LIMIT ?5
