SELECT {selection}
FROM match AS m LEFT JOIN match_seat AS s ON [[s.shard = m.shard AND ]]s.match_id = m.match_id
WHERE [[m.shard = ANY (all_shards()) AND ]]m.owner = $1 AND m.external_id = $2
