DELETE FROM event WHERE match_id = ANY ($1)
