SELECT match_id, key, value FROM match_label WHERE match_id = ANY ($1)
