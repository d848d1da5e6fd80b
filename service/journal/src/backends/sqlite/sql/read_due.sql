SELECT match_id, seq, due FROM deadline WHERE due <= ?1 ORDER BY due, match_id LIMIT ?2
