-- The last event of each of these matches, one probe of the key a match.
SELECT m.match_id, h.seq
FROM unnest($1::uuid[]) AS m (match_id)
CROSS JOIN LATERAL (SELECT e.seq FROM event e WHERE e.match_id = m.match_id ORDER BY e.seq DESC LIMIT 1) AS h
