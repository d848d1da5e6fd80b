SELECT {match_selection} FROM match WHERE match_id = $1
