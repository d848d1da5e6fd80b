-- New commits of others: of lanes that are known and open ($2, read up to $3), and of new lanes from their beginning.
-- $4 are the known lanes that are closed; below $5 no closed lane is new.
SELECT l.lane, c.no, c.clock, c.body
FROM (
    SELECT k.lane, k.no FROM unnest($2::bigint[], $3::bigint[]) AS k (lane, no)
    UNION ALL
    SELECT lane, 0 FROM lane
    WHERE closed IS NULL AND replica <> $1 AND lane <> ALL ($2)
    UNION ALL
    SELECT lane, 0 FROM lane
    WHERE closed IS NOT NULL AND lane >= $5 AND replica <> $1 AND lane <> ALL ($2) AND lane <> ALL ($4)
) AS l
CROSS JOIN LATERAL (
    SELECT c.no, c.clock, c.body FROM commit_log c
    WHERE c.lane = l.lane AND c.no > l.no
    ORDER BY c.no LIMIT $6) AS c
ORDER BY l.lane, c.no
