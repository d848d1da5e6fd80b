-- Reads the last seq of each of these matches, with one index probe per match.
SELECT m.match_id, h.seq
FROM unnest($1::uuid[]) AS m (match_id)
CROSS JOIN LATERAL (SELECT e.seq FROM event e WHERE e.match_id = m.match_id ORDER BY e.seq DESC LIMIT 1) AS h
