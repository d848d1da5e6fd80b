UPDATE match_seat SET salt = NULL, display_name = NULL, player_id = NULL WHERE match_id = ?1 AND seat = ?2
