SELECT seq, hash FROM event WHERE [[shard = match_shard($1) AND ]]match_id = $1 ORDER BY seq DESC LIMIT 1
