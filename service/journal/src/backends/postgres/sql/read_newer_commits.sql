-- Reads the new commits of other replicas: at most $6 of each known open writer ($2) after its known batch
-- ($3), and of each new writer from its first batch on. $4 are known closed writers; a closed writer below $5
-- is not new.
SELECT w.writer, c.batch, c.hlc, c.body
FROM (
    SELECT known.writer, known.batch FROM unnest($2::bigint[], $3::bigint[]) AS known (writer, batch)
    UNION ALL
    SELECT writer, 0 FROM writer
    WHERE closing_batch IS NULL AND replica <> $1 AND writer <> ALL ($2)
    UNION ALL
    SELECT writer, 0 FROM writer
    WHERE closing_batch IS NOT NULL AND writer >= $5 AND replica <> $1
      AND writer <> ALL ($2) AND writer <> ALL ($4)
) AS w[[
JOIN writer AS of_shard ON of_shard.writer = w.writer]]
CROSS JOIN LATERAL (
    SELECT c.batch, c.hlc, c.body FROM commit_log c
    WHERE [[c.shard = of_shard.shard AND ]]c.writer = w.writer AND c.batch > w.batch
    ORDER BY c.batch LIMIT $6) AS c
ORDER BY w.writer, c.batch
