SELECT seq, hash FROM event WHERE match_id = $1 ORDER BY seq DESC LIMIT 1
