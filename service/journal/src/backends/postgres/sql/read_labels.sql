SELECT match_id, key, value FROM match_label
WHERE [[(shard, match_id) IN (SELECT match_shard(id), id FROM unnest($1) AS id)|match_id = ANY ($1)]]
