-- Registers a writer and commits its first, empty batch.
WITH opened AS (
    INSERT INTO writer ([[shard, ]]replica, opened_hlc) VALUES ([[{shard}, ]]$1, $2) RETURNING writer
)
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, count, body)
SELECT [[{shard}, ]]writer, 1, $2, 0, $3 FROM opened
RETURNING writer
