-- Reads the open writers of other replicas, each with its last commit.
SELECT w.writer, h.batch, h.hlc
FROM writer w
CROSS JOIN LATERAL (
    SELECT c.batch, c.hlc FROM commit_log c WHERE [[c.shard = w.shard AND ]]c.writer = w.writer
    ORDER BY c.batch DESC LIMIT 1) AS h
WHERE w.closing_batch IS NULL AND w.replica <> $1
