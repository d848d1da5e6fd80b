DELETE FROM event WHERE match_id = ?1
