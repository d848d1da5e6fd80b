SELECT set_match_labels($1, $2, $3)
