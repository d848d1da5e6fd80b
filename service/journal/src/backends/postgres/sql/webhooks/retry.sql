-- Makes dead letters pending from $2 on, all or those of the events $3.
WITH retried AS (
    UPDATE webhook_delivery AS d SET status = 'pending', attempts = 0, create_time = $2, next_time = $2
    WHERE d.webhook_id = $1 AND d.status = 'dead'
      AND ($3::bytea[] IS NULL OR substr(d.position, 9) = ANY ($3))
    RETURNING 1
), raised AS (
    UPDATE webhook SET revision = revision + 1 WHERE webhook_id = $1
)
SELECT count(*) FROM retried
