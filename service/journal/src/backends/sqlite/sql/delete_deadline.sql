DELETE FROM deadline WHERE match_id = ?1
