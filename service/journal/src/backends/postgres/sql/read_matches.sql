SELECT {selection}
FROM match AS m LEFT JOIN match_seat AS s ON [[s.shard = m.shard AND ]]s.match_id = m.match_id
WHERE [[(m.shard, m.match_id) IN (SELECT match_shard(id), id FROM unnest($1) AS id)|m.match_id = ANY ($1)]]
