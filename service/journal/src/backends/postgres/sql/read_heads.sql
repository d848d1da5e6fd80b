-- Reads the last seq of each of these matches, and the hash of the event with the given seq, with one index
-- probe each.
SELECT m.match_id, h.seq,
       (SELECT e.hash FROM event e WHERE [[e.shard = {shard} AND ]]e.match_id = m.match_id AND e.seq = m.seq)
FROM unnest($1::uuid[], $2::integer[]) AS m (match_id, seq)
CROSS JOIN LATERAL (
    SELECT e.seq FROM event e WHERE [[e.shard = {shard} AND ]]e.match_id = m.match_id
    ORDER BY e.seq DESC LIMIT 1) AS h
