DELETE FROM match_label WHERE match_id = ?1
