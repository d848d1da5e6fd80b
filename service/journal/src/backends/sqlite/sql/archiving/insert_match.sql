INSERT INTO archived_match (match_id, segment_id, seq, hash) VALUES (?1, ?2, ?3, ?4)
