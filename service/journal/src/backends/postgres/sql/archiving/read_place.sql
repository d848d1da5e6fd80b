SELECT segment_id, seq, hash FROM archived_match WHERE [[shard = match_shard($1) AND ]]match_id = $1
