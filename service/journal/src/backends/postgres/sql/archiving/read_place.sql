SELECT segment_id, seq, hash FROM archived_match WHERE match_id = $1
