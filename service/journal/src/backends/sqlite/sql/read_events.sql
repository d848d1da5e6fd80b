SELECT hlc, seq, record_time, kind, request_hash, hash, public, sealed
FROM event WHERE match_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3
