-- Takes at most $4 free leases for holder $1, for $2 microseconds. Skips rows that another replica takes.
UPDATE webhook
SET lease_holder = $1, lease_epoch = lease_epoch + 1,
    lease_until = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $2
WHERE webhook_id IN (
    SELECT webhook_id FROM webhook
    WHERE state = 'enabled' AND key_fingerprint = $3 AND lease_holder IS DISTINCT FROM $1
      AND lease_until <= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    ORDER BY webhook_id LIMIT $4
    FOR UPDATE SKIP LOCKED)
RETURNING webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
