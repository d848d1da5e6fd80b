[[-- Merges the first matches of each shard.
SELECT finished.match_id
FROM unnest(all_shards()) AS of_shard (shard)
CROSS JOIN LATERAL (
    ]]SELECT m.match_id FROM match m
WHERE [[m.shard = of_shard.shard AND ]]m.match_id > $1 AND m.status = 'over' AND m.end_time < $2
  AND NOT EXISTS (SELECT FROM archived_match a WHERE [[a.shard = m.shard AND ]]a.match_id = m.match_id)
ORDER BY m.match_id LIMIT $3
[[) AS finished
ORDER BY finished.match_id LIMIT $3
]]