-- Closes a writer with an empty commit. A late batch of that writer finds its number taken. Fails if the
-- writer's batch before is missing.
WITH closed AS (
    UPDATE writer SET closing_batch = $2 WHERE writer = $1
)
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, body, count) VALUES ([[{shard}, ]]$1, $2, $3, $5,
    CASE WHEN EXISTS (
        SELECT FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2 - 1 AND hlc = $4)
    THEN 0 END)
