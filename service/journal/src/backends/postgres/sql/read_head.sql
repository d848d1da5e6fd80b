SELECT seq FROM event WHERE match_id = $1 ORDER BY seq DESC LIMIT 1
