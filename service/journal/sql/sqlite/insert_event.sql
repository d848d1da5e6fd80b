INSERT INTO event (match_id, seq, recorded_time, clock, lane, no, kind, request_hash, hash, public, sealed, sealed_hash)
VALUES (?4, ?5, ?6, ?1, ?2, ?3, ?7, ?8, ?9, ?10, ?11, ?12)
