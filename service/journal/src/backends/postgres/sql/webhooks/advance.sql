-- Moves a webhook's position and stores what was not delivered, if the lease still has epoch $2.
WITH moved AS (
    UPDATE webhook SET position = $3 WHERE webhook_id = $1 AND lease_epoch = $2 RETURNING webhook_id
), stored AS (
    INSERT INTO webhook_delivery
        (webhook_id, position, kind, status, attempts, create_time, next_time, failure)
    SELECT moved.webhook_id, new.*
    FROM moved, unnest($4::bytea[], $5::integer[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
                       $10::text[]) AS new
    ON CONFLICT DO NOTHING
)
SELECT count(*) FROM moved
