SELECT {match_columns} FROM match WHERE match_id = $1
