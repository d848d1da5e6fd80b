SELECT count(*) FROM match m
WHERE m.status = 'over' AND m.end_time < $1
  AND NOT EXISTS (SELECT FROM archived_match a WHERE [[a.shard = m.shard AND ]]a.match_id = m.match_id)
