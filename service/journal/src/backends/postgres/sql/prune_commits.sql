-- Deletes at most $2 old commits. A writer's last commit stays, because its number fences late batches.
DELETE FROM commit_log
WHERE ([[shard, ]]writer, batch) IN (
    SELECT [[c.shard, ]]c.writer, c.batch FROM commit_log c
    WHERE c.hlc < $1
      AND EXISTS (SELECT 1 FROM commit_log next
                  WHERE [[next.shard = c.shard AND ]]next.writer = c.writer AND next.batch = c.batch + 1)
    ORDER BY c.hlc LIMIT $2)
