SELECT m.match_id FROM "match" m
WHERE m.match_id > ?1 AND m.status = 'over' AND m.end_time < ?2
  AND NOT EXISTS (SELECT 1 FROM archived_match a WHERE a.match_id = m.match_id)
ORDER BY m.match_id LIMIT ?3
