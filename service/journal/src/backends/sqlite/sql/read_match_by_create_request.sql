SELECT {match_selection} FROM "match" WHERE owner = ?1 AND create_request_hash = ?2
