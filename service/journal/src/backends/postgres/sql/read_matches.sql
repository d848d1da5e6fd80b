SELECT {selection}
FROM match AS m LEFT JOIN match_seat AS s ON s.match_id = m.match_id
WHERE m.match_id = ANY ($1)
