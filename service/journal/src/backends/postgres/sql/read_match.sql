SELECT {selection}
FROM match AS m LEFT JOIN match_seat AS s ON [[s.shard = m.shard AND ]]s.match_id = m.match_id
WHERE [[m.shard = match_shard($1) AND ]]m.match_id = $1
