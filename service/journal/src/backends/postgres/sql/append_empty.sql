-- Commits an empty batch: a keep-alive, or a step of the feed's frontier. Fails if the writer's batch before
-- is missing.
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, body, count) VALUES ([[{shard}, ]]$1, $2, $3, $5,
    CASE WHEN EXISTS (
        SELECT FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2 - 1 AND hlc = $4)
    THEN 0 END)
