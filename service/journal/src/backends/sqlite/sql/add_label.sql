-- Adds a label to a match, if the match exists.
INSERT INTO match_label (match_id, key, value, owner, create_time)
SELECT match_id, ?2, ?3, owner, create_time FROM "match" WHERE match_id = ?1
